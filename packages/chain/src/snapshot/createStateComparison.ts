import { getAbiItem, stringify, toFunctionSelector } from 'viem'
import { routeReaderAbi } from '../abi/index.ts'
import { agree } from '../health/agree.ts'
import type { Doubts } from '../health/createDoubts.ts'
import type { Call, NodeReader, Reader } from '../reader/createReader.ts'
import type { BlockAt } from '../reader/createReaderCalls.ts'
import { decodeResult, type Result } from '../reader/decodeResult.ts'

// On a chain with a block every two seconds, this is one comparison a minute.
const readsPerComparison = 32

/**
 * Creates a function that returns whether a read is compared. The reads are chosen at random, on average one of 32.
 *
 * @param random from 0 to 1; `Math.random` by default
 */
export function createSampling(random: () => number = Math.random): () => boolean {
  return () => random() * readsPerComparison < 1
}

/**
 * Returns a reader that compares some of its reads of pools and of their views with another node, after it has returned them.
 * The second healthy node gets the same request, and the first node gets no further request, so it cannot find out which of its
 * answers are compared. A node that does not answer has no vote. A view that fails without a reason is not compared.
 */
export function createStateComparison({
  reader,
  nodes,
  doubts,
  isSampled,
}: createStateComparison.Dependencies): Reader {
  /** @param read returns the values to compare, in the order of `used`; undefined for a value that is not compared */
  async function compare(used: Values, read: (other: Reader) => Promise<Values>): Promise<void> {
    const [first, second] = nodes.filter(({ state }) => state() === 'healthy')
    if (!first || !second) return
    const isSame = (others: Values) => !others.some((other, index) => isOther(other, used[index]))
    const { verdict } = await agree([second], async ({ reader: other }) => await read(other), { isSame })
    if (verdict !== 'disagreed') return
    // It is unknown which node is wrong.
    for (const { position } of [first, second]) doubts.add({ subject: 'state', position })
  }
  /** Returns a result; undefined if it may depend on the gas that the node grants, since nodes grant different gas. */
  function withoutGasLimit(result: Result | undefined, call: Call): Result | undefined {
    // The RouteReader itself fails only for a lack of gas.
    if (!result || (!result.success && call.target === reader.routeReader)) return undefined
    const failed = [result, ...listViews(result, call)].find(({ success }) => !success)
    return failed?.data === '0x' ? undefined : result
  }
  // The nodes may have different newest blocks.
  const isCompared = (at: BlockAt | undefined) => at !== undefined && at !== 'latest' && isSampled()
  return {
    ...reader,
    async aggregate(calls, at) {
      const read = await reader.aggregate(calls, at)
      if (isCompared(at)) {
        const toValues = ({ timestampSeconds, results }: typeof read) => [
          timestampSeconds,
          ...calls.map((call, index) => withoutGasLimit(results[index], call)),
        ]
        void compare(toValues(read), async (other) => toValues(await other.aggregate(calls, at)))
      }
      return read
    },
    async poolStates(probes, at) {
      const states = await reader.poolStates(probes, at)
      if (isCompared(at)) void compare([states], async (other) => [await other.poolStates(probes, at)])
      return states
    },
  }
}

export declare namespace createStateComparison {
  type Dependencies = {
    readonly reader: Reader
    readonly nodes: readonly NodeReader[]
    readonly doubts: Pick<Doubts, 'add'>
    /** Returns whether a read is compared. */
    readonly isSampled: () => boolean
  }
}

type Values = readonly unknown[]

function isOther(other: unknown, used: unknown): boolean {
  return other !== undefined && used !== undefined && stringify([other]) !== stringify([used])
}

const viewRoute = toFunctionSelector(getAbiItem({ abi: routeReaderAbi, name: 'viewRoute' }))

/** Lists the results of the views that the RouteReader called. The results after a failed view are empty. */
function listViews(result: Result, { data }: Call): readonly Result[] {
  if (!result.success || !data.startsWith(viewRoute)) return []
  try {
    return decodeResult(result, routeReaderAbi, 'viewRoute')
  } catch {
    // A node may return anything.
    return []
  }
}

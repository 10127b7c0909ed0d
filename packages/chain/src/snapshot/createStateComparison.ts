import { stringify } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import type { Doubts } from '../health/createDoubts.ts'
import type { NodeReader } from '../reader/createNodeReader.ts'
import type { Reader } from '../reader/createReader.ts'
import type { BlockAt } from '../reader/createReaderCalls.ts'
import type { ForkCheck } from './createForkCheck.ts'

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
 * answers are compared. A node that does not answer has no vote. If the second node does not have the state, the chains of both
 * nodes are compared.
 */
export function createStateComparison({
  reader,
  nodes,
  doubts,
  haveForked,
  isSampled,
}: createStateComparison.Dependencies): Reader {
  /** @param read returns the values to compare, in the order of `used`; undefined for a value that is not compared */
  async function compare(used: Values, read: (other: Reader) => Promise<Values>): Promise<void> {
    const [first, second] = nodes.filter(({ state }) => state() === 'healthy')
    if (!first || !second) return
    const disagree = await read(second.reader).then(
      (others) => others.some((other, index) => isOther(other, used[index])),
      // The second node may lag, or the first node may have invented the block.
      (error) => classifyError(error, 'eth_call').lacksState && haveForked(first.position, second.position),
    )
    if (!disagree) return
    // It is unknown which node is wrong.
    for (const { position } of [first, second]) doubts.add({ subject: 'state', position })
  }
  // The nodes may have different newest blocks.
  const isCompared = (at: BlockAt | undefined) => at !== undefined && at !== 'latest' && isSampled()
  return {
    ...reader,
    async aggregate(calls, at) {
      const read = await reader.aggregate(calls, at)
      const readsRoutes = calls.some(({ target }) => target === reader.routeReader)
      if (!readsRoutes && isCompared(at)) {
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
    /** In order of preference. */
    readonly nodes: readonly NodeReader[]
    readonly doubts: Pick<Doubts, 'add'>
    readonly haveForked: ForkCheck
    /** Returns whether a read is compared. */
    readonly isSampled: () => boolean
  }
}

type Values = readonly unknown[]

function isOther(other: unknown, used: unknown): boolean {
  return other !== undefined && used !== undefined && stringify([other]) !== stringify([used])
}

/** Returns the time and the result of each call; undefined for a call that failed, since nodes grant different gas. */
function toValues({ timestampSeconds, results }: Awaited<ReturnType<Reader['aggregate']>>): Values {
  return [timestampSeconds, ...results.map(({ success, data }) => (success ? data : undefined))]
}

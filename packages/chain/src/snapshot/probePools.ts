import { quoteExactIn, quoteExactOut, ServiceError, type Address, type PoolState, type Pricing } from '@agio/core'
import { encodeFunctionData, size } from 'viem'
import { poolAbi } from '../abi/index.ts'
import type { Head } from '../head/Head.ts'
import type { Call, Reader, Result } from '../reader/createReader.ts'
import { readEach } from '../reader/readEach.ts'

// One unit, odd amounts, and shares of the reserve up to where the halt refuses. The unit alone separates most pools of the DFX
// family from ours: they return zero where ours revert.
const shares = [0n, 1n, 997n, 99_991n, 250_000n, 900_000n] as const

/**
 * Determines where each pool is priced: locally if our maths returns the same as the pool's views to the wei, reverts included,
 * for a ladder of inputs and one of outputs in both directions at one block; else on chain. It never depends on a name.
 * A pool that reverts on every probe, because it is frozen or its price is stale, is left out: nothing is proved.
 *
 * Each pool is probed by a call of its own, since nodes limit a call's gas; all of them travel in one batch.
 */
export async function probePools(
  reader: AggregateReader,
  pools: readonly PoolState[],
  block: ProbedBlock,
): Promise<ReadonlyMap<Address, Pricing>> {
  const pricings = await Promise.all(pools.map((pool) => probePool(reader, pool, block)))
  const decided = pools.flatMap(({ address }, index) => {
    const pricing = pricings[index]
    return pricing === undefined ? [] : [[address, pricing] as const]
  })
  return new Map(decided)
}

type AggregateReader = Pick<Reader, 'aggregate'>
type ProbedBlock = Pick<Head, 'hash' | 'timestampSeconds'>

async function probePool(reader: AggregateReader, pool: PoolState, block: ProbedBlock): Promise<Pricing | undefined> {
  const probes = probesOf(pool, block.timestampSeconds)
  const [results] = await readEach([probes], async () => {
    return [(await reader.aggregate(probes.map(toCall), block.hash)).results]
  })
  // The view of a pool may use up the gas of a whole call, which our maths does not.
  if (!results) return 'on-chain'
  if (!probes.every((probe, index) => agrees(probe, results[index]))) return 'on-chain'
  return isProved(probes, results) ? 'local' : undefined
}

type Probe = {
  readonly pool: Address
  readonly view: 'viewOriginSwap' | 'viewTargetSwap'
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Raw units of the input of an exact input, of the output of an exact output. */
  readonly amountRaw: bigint
  /** What our maths returns. */
  readonly expected: Expected
}

/** Raw units, a refusal, or that our maths does not fit the pool's state at all. */
type Expected = bigint | 'refused' | 'unfit'

function probesOf(pool: PoolState, nowSeconds: bigint): Probe[] {
  const directions = [
    [pool.base, pool.quote],
    [pool.quote, pool.base],
  ] as const
  return directions.flatMap(([origin, target]) => {
    const pair = { tokenIn: origin.token.address, tokenOut: target.token.address }
    const toProbe = (view: Probe['view'], amountRaw: bigint, quote: () => bigint): Probe => {
      return { pool: pool.address, view, ...pair, amountRaw, expected: tryQuote(quote) }
    }
    const sells = toLadder(origin.reserve).map((amountInRaw) => {
      const quote = () => quoteExactIn(pool, { ...pair, amountInRaw }, nowSeconds).amountOutRaw
      return toProbe('viewOriginSwap', amountInRaw, quote)
    })
    const buys = toLadder(target.reserve).map((amountOutRaw) => {
      return toProbe('viewTargetSwap', amountOutRaw, () => quoteExactOut(pool, { ...pair, amountOutRaw }, nowSeconds))
    })
    return [...sells, ...buys]
  })
}

function toLadder(reserve: bigint): readonly bigint[] {
  return shares.map((share) => (reserve * share) / 1_000_000n + 1n)
}

function tryQuote(quote: () => bigint): Expected {
  try {
    return quote()
  } catch (error) {
    return error instanceof ServiceError ? 'refused' : 'unfit'
  }
}

function toCall({ pool, view, tokenIn, tokenOut, amountRaw }: Probe): Call {
  const args = [tokenIn, tokenOut, amountRaw] as const
  return { target: pool, data: encodeFunctionData({ abi: poolAbi, functionName: view, args }) }
}

function agrees({ expected }: Probe, result: Result | undefined): boolean {
  if (result === undefined || expected === 'unfit') return false
  if (expected === 'refused') return !result.success
  return result.success && size(result.data) === 32 && BigInt(result.data) === expected
}

/** Whether both views returned an amount. */
function isProved(probes: readonly Probe[], results: readonly Result[]): boolean {
  const views = new Set(probes.filter((_, index) => results[index]?.success === true).map(({ view }) => view))
  return views.size === 2
}

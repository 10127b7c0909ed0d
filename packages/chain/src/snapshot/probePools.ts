import { PoolMath, ServiceError, type Address, type Curve, type Pool } from '@agio/core'
import { encodeFunctionData, size } from 'viem'
import { poolAbi } from '../abi/index.ts'
import type { Head } from '../head/Head.ts'
import { type Call, type Reader, readEach } from '../reader/createReader.ts'
import type { Result } from '../reader/decodeResult.ts'
import { verifyProbe } from './verifyProbe.ts'

// One unit, odd amounts, and shares of the reserve up to the halt. The single unit distinguishes most pools of the DFX
// family from ours: they return zero where ours revert.
const shares = [0n, 1n, 997n, 99_991n, 250_000n, 900_000n] as const

// The additional shares are where the curve of the family bends, halts, and does not converge.
const sharesOfCurve = [...shares, 380_000n, 430_000n, 470_000n, 499_000n, 530_000n, 700_000n, 1_400_000n] as const

/**
 * Determines how each pool is priced: by our maths, by the curve of its family, or on chain. The decision never depends
 * on a name.
 *
 * The pool's views are read for a ladder of inputs and a ladder of outputs, in both directions, at one block. Our maths
 * prices the pool if it returns the same to the wei, including reverts. The curve of the family prices the pool if it
 * returns the same for inputs, including the reasons of reverts. A pool that reverts on every probe, because it is
 * frozen or its price is stale, has no pricing: nothing is proved.
 *
 * Each pool is probed by separate calls, since nodes limit a call's gas. The calls of 100 pools travel in one batch, since a
 * node must answer a batch within the time limit of a read.
 */
export async function probePools(
  reader: AggregateReader,
  pools: readonly ProbedPool[],
  block: ProbedBlock,
): Promise<readonly ProbedPricing[]> {
  const pricings: ProbedPricing[] = []
  for (let first = 0; first < pools.length; first += poolsPerBatch) {
    const some = pools.slice(first, first + poolsPerBatch)
    pricings.push(...(await Promise.all(some.map((pool) => probePool(reader, pool, block)))))
  }
  return pricings
}

const poolsPerBatch = 100

type AggregateReader = Pick<Reader, 'aggregate'>

/** The block at which pools are probed. */
export type ProbedBlock = Pick<Head, 'hash' | 'timestampSeconds'>

/** A pool to probe. */
export type ProbedPool = {
  readonly pool: Pool.Pool
  /** Whether the pool charges no penalty for imbalance, as our maths requires. */
  readonly isPenaltyFree: boolean
  /** The state of its curve, if the pool returns one. */
  readonly curve: Curve.Curve | undefined
}

/** How a pool is priced, by its views. */
export type ProbedPricing = {
  /** Undefined if the views prove nothing, for example because the pool is frozen. */
  readonly pricing: Pool.Pricing | undefined
  /** Whether the node may have granted too little gas for the views. */
  readonly lacksGas: boolean
}

async function probePool(
  reader: AggregateReader,
  { pool, isPenaltyFree, curve }: ProbedPool,
  block: ProbedBlock,
): Promise<ProbedPricing> {
  const [byOurMaths, byCurve] = await Promise.all([
    isPenaltyFree ? probeOurMaths(reader, pool, block) : 'disproved',
    curve ? probeCurve(reader, { pool, curve }, block) : 'disproved',
  ])
  if (byOurMaths === 'proved') return { pricing: 'local', lacksGas: false }
  if (byCurve === 'proved') return { pricing: 'curve', lacksGas: byOurMaths === 'lacks-gas' }
  // A pool with a penalty must have a curve. If the pool does not return the curve now, it may return it later.
  const isDisproved = byOurMaths !== undefined && byCurve !== undefined
  return {
    pricing: isDisproved && (isPenaltyFree || curve) ? 'on-chain' : undefined,
    lacksGas: byOurMaths === 'lacks-gas' || byCurve === 'lacks-gas',
  }
}

/** A finding of `lacks-gas` disproves too, unless another node grants more gas. */
type Finding = 'proved' | 'disproved' | 'lacks-gas' | undefined

async function probeOurMaths(reader: AggregateReader, pool: Pool.Pool, block: ProbedBlock): Promise<Finding> {
  const probes = probesOf(pool, block.timestampSeconds)
  const results = await callViews(reader, probes, block)
  // The view of a pool may use up the gas of a whole call. Our maths never does.
  if (!results) return 'lacks-gas'
  const differing = results.filter((result, index) => !agrees(probes[index], result))
  if (differing.length > 0) return toDisproof(differing)
  return isProved(probes, results) ? 'proved' : undefined
}

async function probeCurve(
  reader: AggregateReader,
  { pool, curve }: { readonly pool: Pool.Pool; readonly curve: Curve.Curve },
  block: ProbedBlock,
): Promise<Finding> {
  const probes = [pool.base, pool.quote].flatMap((origin, index) => {
    const target = index === 0 ? pool.quote : pool.base
    const pair = { tokenIn: origin.token.address, tokenOut: target.token.address }
    return toLadder(origin.reserve, sharesOfCurve).map((amountRaw) => {
      return {
        pool: pool.address,
        view: 'viewOriginSwap',
        ...pair,
        amountRaw,
        inputIndex: index === 0 ? 0 : 1,
      } as const
    })
  })
  const results = await callViews(reader, probes, block)
  if (!results) return 'lacks-gas'
  const differing = results.filter((result, index) => {
    const probe = probes[index]
    return !probe || verifyProbe(curve, probe, result) === 'disagrees'
  })
  if (differing.length > 0) return toDisproof(differing)
  return results.some(({ success }) => success) ? 'proved' : undefined
}

/** A view that uses up its gas fails without a reason. */
function toDisproof(differing: readonly Result[]): Finding {
  return differing.every(({ success, data }) => !success && data === '0x') ? 'lacks-gas' : 'disproved'
}

/** Returns the result of each view; undefined if they use up the gas of a call. */
async function callViews(
  reader: AggregateReader,
  views: readonly View[],
  block: ProbedBlock,
): Promise<readonly Result[] | undefined> {
  const [results] = await readEach([views], async () => {
    return [(await reader.aggregate(views.map(toCall), block.hash)).results]
  })
  return results
}

type View = {
  readonly pool: Address
  readonly view: 'viewOriginSwap' | 'viewTargetSwap'
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Raw units of the input for an exact input, or of the output for an exact output. */
  readonly amountRaw: bigint
}

type Probe = View & {
  /** The result of our maths. */
  readonly expected: Expected
}

/** Raw units, a refusal, or `unfit` if our maths does not fit the pool's state. */
type Expected = bigint | 'refused' | 'unfit'

function probesOf(pool: Pool.Pool, nowSeconds: bigint): Probe[] {
  const directions = [
    [pool.base, pool.quote],
    [pool.quote, pool.base],
  ] as const
  return directions.flatMap(([origin, target]) => {
    const hop = { pool, origin, target }
    const pair = { tokenIn: origin.token.address, tokenOut: target.token.address }
    const toProbe = (view: Probe['view'], amountRaw: bigint, price: () => bigint): Probe => {
      return { pool: pool.address, view, ...pair, amountRaw, expected: tryPrice(price) }
    }
    const sells = toLadder(origin.reserve, shares).map((amountInRaw) => {
      const price = () => PoolMath.priceExactIn(hop, amountInRaw, nowSeconds).amountOutRaw
      return toProbe('viewOriginSwap', amountInRaw, price)
    })
    const buys = toLadder(target.reserve, shares).map((amountOutRaw) => {
      return toProbe('viewTargetSwap', amountOutRaw, () => PoolMath.priceExactOut(hop, amountOutRaw, nowSeconds))
    })
    return [...sells, ...buys]
  })
}

function toLadder(reserve: bigint, parts: readonly bigint[]): readonly bigint[] {
  return parts.map((share) => (reserve * share) / 1_000_000n + 1n)
}

function tryPrice(price: () => bigint): Expected {
  try {
    return price()
  } catch (error) {
    return error instanceof ServiceError ? 'refused' : 'unfit'
  }
}

function toCall({ pool, view, tokenIn, tokenOut, amountRaw }: View): Call {
  const args = [tokenIn, tokenOut, amountRaw] as const
  return { target: pool, data: encodeFunctionData({ abi: poolAbi, functionName: view, args }) }
}

function agrees(probe: Probe | undefined, { success, data }: Result): boolean {
  if (!probe || probe.expected === 'unfit') return false
  if (probe.expected === 'refused') return !success
  return success && size(data) === 32 && BigInt(data) === probe.expected
}

/** Returns whether both views returned an amount. */
function isProved(probes: readonly Probe[], results: readonly Result[]): boolean {
  const views = new Set(probes.filter((_, index) => results[index]?.success === true).map(({ view }) => view))
  return views.size === 2
}

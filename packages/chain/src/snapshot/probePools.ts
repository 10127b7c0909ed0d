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
 * frozen or its price is stale, is left out: nothing is proved.
 *
 * Each pool is probed by separate calls, since nodes limit a call's gas. The calls of 100 pools travel in one batch, since a
 * node must answer a batch within the time limit of a read.
 */
export async function probePools(
  reader: AggregateReader,
  pools: readonly ProbedPool[],
  block: ProbedBlock,
): Promise<ReadonlyMap<Address, Pool.Pricing>> {
  const pricings: (Pool.Pricing | undefined)[] = []
  for (let first = 0; first < pools.length; first += poolsPerBatch) {
    const some = pools.slice(first, first + poolsPerBatch)
    pricings.push(...(await Promise.all(some.map((pool) => probePool(reader, pool, block)))))
  }
  const decided = pools.flatMap(({ pool }, index) => {
    const pricing = pricings[index]
    return pricing === undefined ? [] : [[pool.address, pricing] as const]
  })
  return new Map(decided)
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

async function probePool(
  reader: AggregateReader,
  { pool, isPenaltyFree, curve }: ProbedPool,
  block: ProbedBlock,
): Promise<Pool.Pricing | undefined> {
  const [byOurMaths, byCurve] = await Promise.all([
    isPenaltyFree ? probeOurMaths(reader, pool, block) : 'disproved',
    curve ? probeCurve(reader, { pool, curve }, block) : 'disproved',
  ])
  if (byOurMaths === 'proved') return 'local'
  if (byCurve === 'proved') return 'curve'
  // A pool with a penalty must have a curve. If the pool does not return the curve now, it may return it later.
  const isDisproved = byOurMaths === 'disproved' && byCurve === 'disproved'
  return isDisproved && (isPenaltyFree || curve) ? 'on-chain' : undefined
}

type Finding = 'proved' | 'disproved' | undefined

async function probeOurMaths(reader: AggregateReader, pool: Pool.Pool, block: ProbedBlock): Promise<Finding> {
  const probes = probesOf(pool, block.timestampSeconds)
  const results = await callViews(reader, probes, block)
  // The view of a pool may use up the gas of a whole call. Our maths never does.
  if (!results || !probes.every((probe, index) => agrees(probe, results[index]))) return 'disproved'
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
  const verdicts = probes.map((probe, index) => results?.[index] && verifyProbe(curve, probe, results[index]))
  if (verdicts.some((verdict) => verdict === 'disagrees' || verdict === undefined)) return 'disproved'
  return results?.some(({ success }) => success) === true ? 'proved' : undefined
}

/** Returns the results of views; undefined if they use up the gas of a call. */
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

function agrees({ expected }: Probe, result: Result | undefined): boolean {
  if (result === undefined || expected === 'unfit') return false
  if (expected === 'refused') return !result.success
  return result.success && size(result.data) === 32 && BigInt(result.data) === expected
}

/** Returns whether both views returned an amount. */
function isProved(probes: readonly Probe[], results: readonly Result[]): boolean {
  const views = new Set(probes.filter((_, index) => results[index]?.success === true).map(({ view }) => view))
  return views.size === 2
}

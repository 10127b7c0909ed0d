import * as Integer from '../integer/Integer.ts'
import * as Hop from './Hop.ts'
import type * as Pool from './Pool.ts'
import * as PoolErrors from './PoolErrors.ts'

/**
 * Prices an exact input, in raw units, with the integer maths of the pool contract. The result is equal to the last raw
 * unit, and the errors come in the same order.
 *
 * @param nowSeconds the timestamp of the block of the state
 * @throws `svc/pool-frozen`, `svc/amount-too-small`, `svc/stale-price`, `svc/above-max-origin`
 * @see docs/reference/maths.md
 */
export function priceExactIn(hop: Hop.Hop, amountInRaw: bigint, nowSeconds: bigint): Price {
  Hop.assertPriceable(hop, amountInRaw, nowSeconds)
  assertBelowMaxOrigin(hop, amountInRaw)
  const grossOutRaw = valueAtOracle(hop, amountInRaw)
  const feeRaw = Integer.ceilDiv(grossOutRaw * hop.pool.epsilon, Integer.wad)
  if (grossOutRaw <= feeRaw) throw PoolErrors.amountTooSmall(hop)
  return { amountOutRaw: grossOutRaw - feeRaw, feeRaw }
}

type Price = {
  /** Raw units of the output token, after the fee. */
  readonly amountOutRaw: bigint
  /** The fee that stays in the pool, in raw units of the output token. */
  readonly feeRaw: bigint
}

/**
 * Prices an exact output, in raw units, with the integer maths of the pool contract and its errors.
 *
 * @param nowSeconds the timestamp of the block of the state
 * @returns the smallest input that buys the output, in raw units
 * @throws `svc/pool-frozen`, `svc/amount-too-small`, `svc/stale-price`, `svc/above-max-origin`
 * @see docs/reference/maths.md
 */
export function priceExactOut(hop: Hop.Hop, amountOutRaw: bigint, nowSeconds: bigint): bigint {
  Hop.assertPriceable(hop, amountOutRaw, nowSeconds)
  const amountInRaw = smallestInput(hop, amountOutRaw)
  assertBelowMaxOrigin(hop, amountInRaw)
  return amountInRaw
}

/** Returns the smallest input that buys an output, in raw units, without a check of the pool's limit. */
export function smallestInput({ pool, origin, target }: Hop.Hop, amountOutRaw: bigint): bigint {
  const grossOutRaw = Integer.ceilDiv(amountOutRaw * Integer.wad, Integer.wad - pool.epsilon)
  return Integer.ceilDiv(
    grossOutRaw * target.price.answer * Integer.powerOfTen(origin.token.decimals),
    origin.price.answer * Integer.powerOfTen(target.token.decimals),
  )
}

/** Asserts that an input keeps the pool within its halt. @throws `svc/above-max-origin` */
function assertBelowMaxOrigin(hop: Hop.Hop, amountInRaw: bigint): void {
  const maxRaw = maxOrigin(hop)
  if (amountInRaw <= maxRaw) return
  throw PoolErrors.aboveLimit(hop.origin.token, amountInRaw, maxRaw)
}

/** Returns the value of an input at the oracle prices, before any fee, in raw units of the output token, rounded down. */
export function valueAtOracle({ origin, target }: Pick<Hop.Hop, 'origin' | 'target'>, amountInRaw: bigint): bigint {
  return (
    (amountInRaw * origin.price.answer * Integer.powerOfTen(target.token.decimals)) /
    (target.price.answer * Integer.powerOfTen(origin.token.decimals))
  )
}

type Limit = { readonly target: Pool.Side; readonly alpha: bigint; readonly maxRaw: bigint }

// Every preview needs the limit. The sides of a pool stay the same objects until the next block.
const limits = new WeakMap<Pool.Side, Limit>()

/**
 * Returns the largest input that keeps the output side within the pool's halt, in raw units of the input token. Returns
 * zero if that side is already at or below its lower bound.
 *
 * @see docs/reference/maths.md
 */
export function maxOrigin({ pool: { alpha }, origin, target }: Hop.Hop): bigint {
  const cached = limits.get(origin)
  if (cached?.target === target && cached.alpha === alpha) return cached.maxRaw
  const maxRaw = computeMaxOrigin(origin, target, alpha)
  limits.set(origin, { target, alpha, maxRaw })
  return maxRaw
}

function computeMaxOrigin(origin: Pool.Side, target: Pool.Side, alpha: bigint): bigint {
  const originScale = scaleOf(origin)
  const originValue = origin.reserve * originScale
  const targetValue = target.reserve * scaleOf(target)
  const floorValue = Integer.ceilDiv((originValue + targetValue) * (Integer.wad - alpha), 2n * Integer.wad)
  return targetValue > floorValue ? (targetValue - floorValue) / originScale : 0n
}

/** Returns the value of one raw unit: the price scaled by 10^18. */
function scaleOf(side: Pool.Side): bigint {
  return (side.price.answer * Integer.wad) / Integer.powerOfTen(side.token.decimals)
}

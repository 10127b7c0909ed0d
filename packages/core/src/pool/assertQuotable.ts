import * as Errors from '../errors/Errors.ts'
import * as Amount from '../amount/Amount.ts'
import type { ServiceError } from '../errors/ServiceError.ts'
import { getMarketHours } from '../market/getMarketHours.ts'
import { toTimestamp } from '../time/toTimestamp.ts'
import type { Token } from '../token/Token.ts'
import { getMaxOrigin } from './getMaxOrigin.ts'
import type { Hop } from './Hop.ts'
import { isPriceFresh, type OraclePrice } from './OraclePrice.ts'
import type { PoolSide } from './PoolState.ts'

/**
 * Asserts that a pool can quote a swap, for any kind of pricing. The checks run in the order of the pool contract.
 *
 * @param amountRaw the exact amount, in raw units of its token
 * @throws `svc/pool-frozen`, `svc/amount-too-small`, `svc/stale-price`
 */
export function assertQuotable(hop: Hop, amountRaw: bigint, nowSeconds: bigint): void {
  const { pool, origin, target } = hop
  if (pool.frozen) throw Errors.poolFrozen({ pool: pool.address })
  if (amountRaw === 0n) throw amountTooSmall(hop)
  assertPriceFresh(origin, nowSeconds)
  assertPriceFresh(target, nowSeconds)
}

function assertPriceFresh({ price, token }: PoolSide, nowSeconds: bigint): void {
  // The reference dollar has no oracle. Its price is always fresh.
  if (price.oracle === null || isPriceFresh(price, nowSeconds)) return
  throw Errors.stalePrice({
    subject: token.symbol,
    oracle: price.oracle,
    updatedAt: toTimestamp(price.updatedAtSeconds),
    maxAgeSeconds: Number(price.maxAgeSeconds),
    ...findReopening(price, Number(nowSeconds)),
  })
}

/** Returns when a closed market opens again; undefined if the market is open, or if its hours are unknown. */
function findReopening({ schedule }: OraclePrice, nowSeconds: number) {
  const hours = schedule && getMarketHours([schedule], nowSeconds)
  if (!hours || hours.isOpen || hours.nextOpen === undefined) return undefined
  return { opensAt: toTimestamp(BigInt(hours.nextOpen)), retryAfterSeconds: hours.nextOpen - nowSeconds }
}

/** Asserts that an input keeps the pool within its halt. @throws `svc/above-max-origin` */
export function assertBelowMaxOrigin(hop: Hop, amountInRaw: bigint): void {
  const maxRaw = getMaxOrigin(hop)
  if (amountInRaw <= maxRaw) return
  throw aboveLimit(hop.origin.token, amountInRaw, maxRaw)
}

/**
 * Returns the error for an amount above the largest input of a pool, or of two pools in sequence.
 *
 * @param maxRaw the largest input; undefined if it is unknown in the input token
 */
export function aboveLimit(
  { symbol, decimals }: Token,
  amountInRaw: bigint,
  maxRaw?: bigint,
): ServiceError<'svc/above-max-origin'> {
  const amountIn = Amount.format(amountInRaw, decimals)
  if (maxRaw === undefined) return Errors.aboveMaxOrigin({ symbol, amountIn })
  return Errors.aboveMaxOrigin({ symbol, amountIn, maxAmountIn: Amount.format(maxRaw, decimals) })
}

/** Returns the error for an amount whose output is zero after rounding and the fee. */
export function amountTooSmall({ origin, target }: Hop): ServiceError<'svc/amount-too-small'> {
  return Errors.amountTooSmall({
    action: `convert this amount of ${origin.token.symbol}`,
    reason: `the output after the fee is less than one raw unit of ${target.token.symbol}`,
  })
}

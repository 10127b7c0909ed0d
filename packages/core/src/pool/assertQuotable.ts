import * as Amount from '../Amount.ts'
import { ServiceError } from '../errors/ServiceError.ts'
import { toTimestamp } from '../time/toTimestamp.ts'
import type { Address, Token } from '../token/Token.ts'
import { getMaxOrigin } from './getMaxOrigin.ts'
import { isPriceFresh } from './OraclePrice.ts'
import { sidesOf, type PoolSide, type PoolState } from './PoolState.ts'

/**
 * What every pool must allow before an amount can be priced, whoever prices it; in the order of our pool's own checks.
 *
 * @returns the pool's sides in the direction of the swap
 * @throws `svc/pool-frozen`, `svc/unsupported-token`, `svc/amount-too-small`, `svc/stale-price`
 */
export function assertQuotable(
  pool: PoolState,
  { tokenIn, tokenOut, amountRaw }: assertQuotable.Swap,
  nowSeconds: bigint,
): readonly [PoolSide, PoolSide] {
  assertNotFrozen(pool)
  const [origin, target] = sidesOf(pool, tokenIn, tokenOut)
  if (amountRaw === 0n) throw amountTooSmall(origin, target)
  assertPriceFresh(origin, nowSeconds)
  assertPriceFresh(target, nowSeconds)
  return [origin, target]
}

export declare namespace assertQuotable {
  type Swap = {
    readonly tokenIn: Address
    readonly tokenOut: Address
    /** Raw units of whichever token is exact. */
    readonly amountRaw: bigint
  }
}

function assertNotFrozen(pool: PoolState): void {
  if (!pool.frozen) return
  throw new ServiceError('svc/pool-frozen', `Cannot convert through pool ${pool.address}: its owner has frozen it`, {})
}

function assertPriceFresh({ price, token }: PoolSide, nowSeconds: bigint): void {
  if (isPriceFresh(price, nowSeconds)) return
  const maxAgeSeconds = Number(price.maxAgeSeconds)
  throw new ServiceError(
    'svc/stale-price',
    `Cannot price ${token.symbol}: its oracle ${price.oracle ?? 'none'} has had no valid answer for more than ${maxAgeSeconds} s`,
    { oracle: price.oracle ?? 'none', updatedAt: toTimestamp(price.updatedAtSeconds), maxAgeSeconds },
  )
}

/** @throws `svc/above-max-origin` if the input would move the pool past its halt */
export function assertBelowMaxOrigin(
  [origin, target]: readonly [PoolSide, PoolSide],
  alpha: bigint,
  amountInRaw: bigint,
): void {
  const maxRaw = getMaxOrigin(origin, target, alpha)
  if (amountInRaw <= maxRaw) return
  const { decimals, symbol } = origin.token
  const [amountIn, maxAmountIn] = [Amount.format(amountInRaw, decimals), Amount.format(maxRaw, decimals)]
  throw new ServiceError(
    'svc/above-max-origin',
    `Cannot convert ${amountIn} ${symbol}: the pool takes at most ${maxAmountIn} ${symbol} now`,
    { amountIn, maxAmountIn },
  )
}

/** The refusal of an amount that is above a limit which is not known in its token. */
export function aboveUnknownLimit(
  { symbol, decimals }: Token,
  amountInRaw: bigint,
): ServiceError<'svc/above-max-origin'> {
  const amountIn = Amount.format(amountInRaw, decimals)
  const message = `Cannot convert ${amountIn} ${symbol}: it is more than the way to the other token takes now`
  return new ServiceError('svc/above-max-origin', message, { amountIn })
}

/** The refusal of an amount that is worth nothing after rounding and the fee. */
export function amountTooSmall(origin: PoolSide, target: PoolSide): ServiceError<'svc/amount-too-small'> {
  return new ServiceError(
    'svc/amount-too-small',
    `Cannot convert so little ${origin.token.symbol}: less than one unit of ${target.token.symbol} is left after the fee`,
    {},
  )
}

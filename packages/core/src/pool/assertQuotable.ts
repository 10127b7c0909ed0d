import * as Amount from '../Amount.ts'
import { ServiceError } from '../errors/ServiceError.ts'
import { toTimestamp } from '../time/toTimestamp.ts'
import { getMaxOrigin } from './getMaxOrigin.ts'
import { isPriceFresh } from './OraclePrice.ts'
import type { PoolSide, PoolState } from './PoolState.ts'

/** @throws `svc/pool-frozen` if the pool's owner stopped its swaps */
export function assertNotFrozen(pool: PoolState): void {
  if (!pool.frozen) return
  throw new ServiceError('svc/pool-frozen', `Cannot convert through pool ${pool.address}: its owner has frozen it`, {})
}

/** @throws `svc/stale-price` if the side's price does not count at this block */
export function assertPriceFresh({ price, token }: PoolSide, nowSeconds: bigint): void {
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

/** The refusal of an amount that is worth nothing after rounding and the fee. */
export function amountTooSmall(origin: PoolSide, target: PoolSide): ServiceError<'svc/amount-too-small'> {
  return new ServiceError(
    'svc/amount-too-small',
    `Cannot convert so little ${origin.token.symbol}: less than one unit of ${target.token.symbol} is left after the fee`,
    {},
  )
}

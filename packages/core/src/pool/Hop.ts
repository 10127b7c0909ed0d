import * as Errors from '../errors/Errors.ts'
import type { ServiceError } from '../errors/ServiceError.ts'
import type { Address } from '../token/Token.ts'
import * as OraclePrice from './OraclePrice.ts'
import type * as Pool from './Pool.ts'
import * as PoolErrors from './PoolErrors.ts'
import * as PriceFault from './PriceFault.ts'

/** A swap through one pool: the pool, the side that takes the input, and the side that pays the output. */
export type Hop = {
  readonly pool: Pool.Pool
  readonly origin: Pool.Side
  readonly target: Pool.Side
}

/**
 * Returns the hop through a pool from one of its tokens to the other.
 *
 * @throws `svc/invalid-request` if the two tokens are the same
 * @throws `svc/unsupported-token` if the pool does not hold one of them
 */
export function from(pool: Pool.Pool, tokenIn: Address, tokenOut: Address): Hop {
  if (tokenIn === tokenOut) throw Errors.sameToken(tokenOut)
  return { pool, origin: getSide(pool, tokenIn, 'tokenIn'), target: getSide(pool, tokenOut, 'tokenOut') }
}

function getSide(pool: Pool.Pool, token: Address, field: string): Pool.Side {
  if (pool.base.token.address === token) return pool.base
  if (pool.quote.token.address === token) return pool.quote
  throw Errors.unsupportedToken({ field, value: token, pool: `pool ${pool.address}` })
}

/** Returns the index of the input side in its pool: 0 is the foreign token, 1 the dollar. */
export function inputIndex({ pool, origin }: Hop): 0 | 1 {
  return origin.token.address === pool.base.token.address ? 0 : 1
}

/**
 * Asserts that a pool can price a swap, for any kind of pricing. The checks run in the order of the pool contract.
 *
 * @param amountRaw the exact amount, in raw units of its token
 * @throws `svc/pool-frozen`, `svc/amount-too-small`, `svc/stale-price`, `svc/reference-depegged`
 */
export function assertPriceable(hop: Hop, amountRaw: bigint, nowSeconds: bigint): void {
  const { pool, origin, target } = hop
  if (pool.frozen) throw Errors.poolFrozen({ pool: pool.address })
  if (amountRaw === 0n) throw PoolErrors.amountTooSmall(hop)
  assertPriceValid(origin, nowSeconds)
  assertPriceValid(target, nowSeconds)
}

function assertPriceValid(side: Pool.Side, nowSeconds: bigint): void {
  const error = findPriceError(side, nowSeconds)
  if (error) throw error
}

/** Returns why a pool does not convert at the price of one of its sides: `svc/stale-price` or `svc/reference-depegged`. */
export function findPriceError({ price, token }: Pool.Side, nowSeconds: bigint): ServiceError | undefined {
  const fault = OraclePrice.findFault(price, nowSeconds)
  return fault && PriceFault.toError(fault, { subject: token.symbol, price, nowSeconds })
}

import * as Errors from '../errors/Errors.ts'
import type { Address } from '../token/Token.ts'
import type { PoolSide, PoolState } from './PoolState.ts'

/** A swap through one pool: the pool, the side that takes the input, and the side that pays the output. */
export type Hop = {
  readonly pool: PoolState
  readonly origin: PoolSide
  readonly target: PoolSide
}

/**
 * Returns the hop through a pool from one of its tokens to the other.
 *
 * @throws `svc/invalid-request` if the two tokens are the same
 * @throws `svc/unsupported-token` if the pool does not hold one of them
 */
export function toHop(pool: PoolState, tokenIn: Address, tokenOut: Address): Hop {
  if (tokenIn === tokenOut) throw Errors.sameToken(tokenOut)
  return { pool, origin: getSide(pool, tokenIn, 'tokenIn'), target: getSide(pool, tokenOut, 'tokenOut') }
}

function getSide(pool: PoolState, token: Address, field: string): PoolSide {
  if (pool.base.token.address === token) return pool.base
  if (pool.quote.token.address === token) return pool.quote
  throw Errors.unsupportedToken({ field, value: token, pool: `pool ${pool.address}` })
}

/** Returns the index of the input side in its pool: 0 is the foreign token, 1 the dollar. */
export function inputIndexOf({ pool, origin }: Hop): 0 | 1 {
  return origin.token.address === pool.base.token.address ? 0 : 1
}

import * as Errors from '../errors/Errors.ts'
import type { CurveState } from '../curve/CurveState.ts'
import type { Address, Token } from '../token/Token.ts'
import type { OraclePrice } from './OraclePrice.ts'

/** The state of a pool at one block. */
export type PoolState = {
  readonly address: Address
  /** The side of token 0: the foreign token. */
  readonly base: PoolSide
  /** The side of token 1: the dollar. */
  readonly quote: PoolSide
  /** Total supply of LP tokens, 18 decimals. */
  readonly totalSupply: bigint
  /** The halt, 18 decimals: how far the value of a side may move from half of the pool's value. */
  readonly alpha: bigint
  /** The fee on the output, 18 decimals. */
  readonly epsilon: bigint
  readonly frozen: boolean
  readonly pricing: Pricing
  /** What computes the pool's own curve, if that prices it. */
  readonly curve?: CurveState | undefined
}

export type PoolSide = {
  readonly token: Token
  /** The pool's balance of the token, in raw units. */
  readonly reserve: bigint
  readonly price: OraclePrice
}

/** How a pool is priced: locally by our maths, locally by the curve of its family, or on chain by the view of the pool. */
export type Pricing = 'local' | 'curve' | 'on-chain'

/**
 * Returns the sides of a pool in the direction of a swap: input side, output side.
 *
 * @throws `svc/invalid-request` if the two tokens are the same
 * @throws `svc/unsupported-token` if the pool does not hold one of them
 */
export function sidesOf(pool: PoolState, tokenIn: Address, tokenOut: Address): readonly [PoolSide, PoolSide] {
  if (tokenIn === tokenOut) throw Errors.sameToken(tokenOut)
  return [findSide(pool, tokenIn, 'tokenIn'), findSide(pool, tokenOut, 'tokenOut')]
}

function findSide(pool: PoolState, token: Address, field: string): PoolSide {
  if (pool.base.token.address === token) return pool.base
  if (pool.quote.token.address === token) return pool.quote
  throw Errors.unsupportedToken({ field, value: token, pool: `pool ${pool.address}` })
}

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
  /** The halt, 18 decimals: how far the value of a side may move away from half of the pool's value. */
  readonly alpha: bigint
  /** The fee on the output, 18 decimals. */
  readonly epsilon: bigint
  readonly frozen: boolean
  readonly pricing: Pricing
  /** The state of the pool's own curve, if the curve prices the pool. */
  readonly curve?: CurveState | undefined
}

export type PoolSide = {
  readonly token: Token
  /** The pool's balance of the token, in raw units. */
  readonly reserve: bigint
  readonly price: OraclePrice
}

/** How a pool is priced: by our maths, by the curve of its family, or on chain by the view of the pool. */
export type Pricing = 'local' | 'curve' | 'on-chain'

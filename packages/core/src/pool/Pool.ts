import type * as Curve from '../curve/Curve.ts'
import type * as Schedule from '../market/Schedule.ts'
import type { Address, Token } from '../token/Token.ts'
import type * as OraclePrice from './OraclePrice.ts'

/** The state of a pool at one block. */
export type Pool = {
  readonly address: Address
  /** The side of token 0: the foreign token. */
  readonly base: Side
  /** The side of token 1: the dollar. */
  readonly quote: Side
  /** Total supply of LP tokens, 18 decimals. */
  readonly totalSupply: bigint
  /** The halt, 18 decimals: how far the value of a side may move away from half of the pool's value. */
  readonly alpha: bigint
  /** The fee on the output, 18 decimals. */
  readonly epsilon: bigint
  readonly frozen: boolean
  readonly pricing: Pricing
  /** The state of the pool's own curve, if the curve prices the pool. */
  readonly curve?: Curve.Curve | undefined
}

/** One side of a pool: its token, the reserve of the token and the price. */
export type Side = {
  readonly token: Token
  /** The pool's balance of the token, in raw units. */
  readonly reserve: bigint
  readonly price: OraclePrice.OraclePrice
}

/** How a pool is priced: by our maths, by the curve of its family, or on chain by the view of the pool. */
export type Pricing = 'local' | 'curve' | 'on-chain'

type Index = {
  readonly byAddress: ReadonlyMap<Address, Pool>
  /** The pools by base token, then by quote token. */
  readonly byTokens: ReadonlyMap<Address, ReadonlyMap<Address, Pool>>
}

// All previews of a block search the same list. With an index, a search of two hundred pools costs as much as a search
// of two.
const indices = new WeakMap<readonly Pool[], Index>()

/** Returns the pool at an address, or undefined. */
export function find(pools: readonly Pool[], address: Address): Pool | undefined {
  return indexOf(pools).byAddress.get(address)
}

/** Returns the first pool that holds both tokens, in either order, or undefined. */
export function findByTokens(pools: readonly Pool[], tokenA: Address, tokenB: Address): Pool | undefined {
  return indexOf(pools).byTokens.get(tokenA)?.get(tokenB)
}

function indexOf(pools: readonly Pool[]): Index {
  const cached = indices.get(pools)
  if (cached) return cached
  const index = createIndex(pools)
  indices.set(pools, index)
  return index
}

function createIndex(pools: readonly Pool[]): Index {
  const byAddress = new Map<Address, Pool>()
  const byTokens = new Map<Address, Map<Address, Pool>>()
  for (const pool of pools) {
    if (!byAddress.has(pool.address)) byAddress.set(pool.address, pool)
    const [base, quote] = [pool.base.token.address, pool.quote.token.address]
    add(base, quote, pool)
    add(quote, base, pool)
  }
  function add(tokenA: Address, tokenB: Address, pool: Pool): void {
    const byTokenB = byTokens.get(tokenA) ?? new Map<Address, Pool>()
    byTokens.set(tokenA, byTokenB)
    if (!byTokenB.has(tokenB)) byTokenB.set(tokenB, pool)
  }
  return { byAddress, byTokens }
}

/** Lists the market hours of the prices of some pools, each once. Leaves out prices without known hours. */
export function listSchedules(pools: readonly Pool[]): readonly Schedule.Schedule[] {
  const schedules: Schedule.Schedule[] = []
  for (const { base, quote } of pools) {
    for (const { price } of [base, quote]) {
      if (price.schedule && !schedules.includes(price.schedule)) schedules.push(price.schedule)
    }
  }
  return schedules
}

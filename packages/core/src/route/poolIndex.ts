import type { PoolState } from '../pool/PoolState.ts'
import type { Address } from '../token/Token.ts'

type Index = {
  readonly byAddress: ReadonlyMap<Address, PoolState>
  /** The pools by base token, then by quote token. */
  readonly byTokens: ReadonlyMap<Address, ReadonlyMap<Address, PoolState>>
}

// All previews of a block search the same list. With an index, a search of two hundred pools costs as much as a search
// of two.
const indices = new WeakMap<readonly PoolState[], Index>()

/** Returns the pool at an address, or undefined. */
export function findPool(pools: readonly PoolState[], address: Address): PoolState | undefined {
  return indexOf(pools).byAddress.get(address)
}

/** Returns the first pool that holds both tokens, in either order, or undefined. */
export function findPoolOf(pools: readonly PoolState[], one: Address, other: Address): PoolState | undefined {
  return indexOf(pools).byTokens.get(one)?.get(other)
}

function indexOf(pools: readonly PoolState[]): Index {
  const known = indices.get(pools)
  if (known) return known
  const index = createIndex(pools)
  indices.set(pools, index)
  return index
}

function createIndex(pools: readonly PoolState[]): Index {
  const byAddress = new Map<Address, PoolState>()
  const byTokens = new Map<Address, Map<Address, PoolState>>()
  for (const pool of pools) {
    if (!byAddress.has(pool.address)) byAddress.set(pool.address, pool)
    const [base, quote] = [pool.base.token.address, pool.quote.token.address]
    add(base, quote, pool)
    add(quote, base, pool)
  }
  function add(one: Address, other: Address, pool: PoolState): void {
    const others = byTokens.get(one) ?? new Map<Address, PoolState>()
    byTokens.set(one, others)
    if (!others.has(other)) others.set(other, pool)
  }
  return { byAddress, byTokens }
}

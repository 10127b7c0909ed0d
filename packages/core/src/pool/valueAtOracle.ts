import { unitsOf } from './integers.ts'
import type { PoolSide } from './PoolState.ts'

/** What raw units of one token are worth in another at the oracles' prices, before any fee, rounded down. */
export function valueAtOracle(origin: Priced, target: Priced, originRaw: bigint): bigint {
  return (
    (originRaw * origin.price.answer * unitsOf(target.token.decimals)) /
    (target.price.answer * unitsOf(origin.token.decimals))
  )
}

/** A token with its price. */
export type Priced = Pick<PoolSide, 'token' | 'price'>

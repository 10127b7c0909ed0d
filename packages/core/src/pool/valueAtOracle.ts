import { powerOfTen } from '../powerOfTen.ts'
import type { PoolSide } from './PoolState.ts'

/** What raw units of one token are worth in another at the oracles' prices, before any fee, rounded down. */
export function valueAtOracle(origin: Priced, target: Priced, originRaw: bigint): bigint {
  return (
    (originRaw * origin.price.answer * powerOfTen(target.token.decimals)) /
    (target.price.answer * powerOfTen(origin.token.decimals))
  )
}

/** A token with its price. */
export type Priced = Pick<PoolSide, 'token' | 'price'>

import { powerOfTen } from '../amount/powerOfTen.ts'
import type { PoolSide } from './PoolState.ts'

/** Returns the value of an amount at the oracle prices, before any fee, in raw units of the target token, rounded down. */
export function valueAtOracle(origin: Priced, target: Priced, originRaw: bigint): bigint {
  return (
    (originRaw * origin.price.answer * powerOfTen(target.token.decimals)) /
    (target.price.answer * powerOfTen(origin.token.decimals))
  )
}

/** A token and its price. */
export type Priced = Pick<PoolSide, 'token' | 'price'>

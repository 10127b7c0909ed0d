import { powerOfTen } from '../amount/powerOfTen.ts'
import type { Hop } from './Hop.ts'

/** Returns the value of an input at the oracle prices, before any fee, in raw units of the output token, rounded down. */
export function valueAtOracle({ origin, target }: Pick<Hop, 'origin' | 'target'>, amountInRaw: bigint): bigint {
  return (
    (amountInRaw * origin.price.answer * powerOfTen(target.token.decimals)) /
    (target.price.answer * powerOfTen(origin.token.decimals))
  )
}

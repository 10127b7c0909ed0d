import type { PriceFault } from '@agio/core'
import type { Revert } from './decodeRevert.ts'

/** Returns the fault of a price with which a rate reader of ours reverts; undefined for another revert. */
export function toPriceFault({ name, args: [feed, ...values] }: Revert): PriceFault.PriceFault | undefined {
  const found = faults.get(name)
  if (!found) return undefined
  const [reason, ...fields] = found
  const numbers = fields.map((field, index) => [field, BigInt(values[index] ?? 0)])
  return { reason, feed, ...Object.fromEntries(numbers) } as PriceFault.PriceFault
}

/** The reason of each error of IRateErrors, and the fields of its numbers. Its first argument is a feed. */
const faults: ReadonlyMap<string, readonly [reason: PriceFault.Reason, ...fields: string[]]> = new Map([
  ['InvalidPrice', ['invalid', 'answer']],
  ['StalePrice', ['age', 'updatedAtSeconds', 'maxAgeSeconds']],
  ['PriceOutOfBounds', ['bounds', 'answer', 'minAnswer', 'maxAnswer']],
  ['PriceStepTooLarge', ['step', 'answer', 'previousAnswer', 'maxStep']],
  ['ReferenceDepegged', ['depeg', 'answer', 'minAnswer', 'maxAnswer']],
  ['SequencerDown', ['sequencer', 'answer', 'startedAtSeconds', 'gracePeriodSeconds']],
])

import type { Address, PriceFault } from '@agio/core'
import type { Revert } from './decodeRevert.ts'

/** Returns the fault of a price with which a rate reader of ours reverts; undefined for another revert. */
export function toPriceFault({ name, args }: Revert): PriceFault.PriceFault | undefined {
  return faults.get(name)?.(args[0] as Address, args.slice(1).map(BigInt))
}

type ToFault = (feed: Address, values: readonly bigint[]) => PriceFault.PriceFault

/** The fault of each error of IRateErrors. Its first argument is a feed, and the others are numbers. */
const faults: ReadonlyMap<string, ToFault> = new Map<string, ToFault>([
  ['InvalidPrice', (feed, [answer = 0n]) => ({ reason: 'invalid', feed, answer })],
  [
    'StalePrice',
    (feed, [updatedAtSeconds = 0n, maxAgeSeconds = 0n]) => ({ reason: 'age', feed, updatedAtSeconds, maxAgeSeconds }),
  ],
  [
    'PriceOutOfBounds',
    (feed, [answer = 0n, minAnswer = 0n, maxAnswer = 0n]) => ({ reason: 'bounds', feed, answer, minAnswer, maxAnswer }),
  ],
  [
    'PriceStepTooLarge',
    (feed, [answer = 0n, previousAnswer = 0n, maxStep = 0n]) => ({
      reason: 'step',
      feed,
      answer,
      previousAnswer,
      maxStep,
    }),
  ],
  [
    'ReferenceDepegged',
    (feed, [answer = 0n, minAnswer = 0n, maxAnswer = 0n]) => ({ reason: 'depeg', feed, answer, minAnswer, maxAnswer }),
  ],
  [
    'SequencerDown',
    (feed, [answer = 0n, startedAtSeconds = 0n, gracePeriodSeconds = 0n]) => {
      return { reason: 'sequencer', feed, answer, startedAtSeconds, gracePeriodSeconds }
    },
  ],
])

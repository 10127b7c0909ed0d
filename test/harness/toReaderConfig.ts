import type { Address } from '@agio/core'
import { maxInt256, zeroAddress } from 'viem'

/** Returns the configuration of a rate reader without optional feeds or a largest step, which accepts any positive answer of an hour. */
export function toReaderConfig(token: Address, oracle: Address = zeroAddress, maxAge = 3600n) {
  return {
    token,
    oracle,
    referenceFeed: zeroAddress,
    maxAge,
    minAnswer: 1n,
    maxAnswer: maxInt256,
    maxStep: 0n,
    sequencerFeed: zeroAddress,
    gracePeriod: 0n,
  } as const
}

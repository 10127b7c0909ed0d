import { Amount, Errors, type ServiceError } from '@agio/core'
import type { Revert } from '../revert/decodeRevert.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import { toRevertedError } from './readPoolView.ts'

/** Converts the revert of a deposit, or of its view, to an error of the service. */
export function toDepositError(revert: Revert, valueRaw: bigint): ServiceError {
  const named = toRevertError(revert)
  switch (named.code) {
    case 'svc/pool-frozen':
      return Errors.poolFrozen({ action: 'deposit into' })
    case 'svc/above-max-origin':
      return aboveCap(valueRaw)
    case 'svc/amount-too-small':
      return Errors.amountTooSmall({ action: 'deposit', reason: 'the amount is too small to mint LP tokens' })
    case 'svc/stale-price':
      return named
    default:
      return toRevertedError('deposit', revert)
  }
}

function aboveCap(valueRaw: bigint): ServiceError {
  const amountIn = Amount.format(valueRaw, 18)
  const reason = 'the pool would exceed its cap'
  return Errors.aboveMaxOrigin({ action: 'deposit', amountIn, symbol: 'dollars', reason })
}

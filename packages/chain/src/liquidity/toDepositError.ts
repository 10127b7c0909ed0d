import { Amount, ServiceError } from '@agio/core'
import type { Revert } from '../revert/decodeRevert.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import { toRevertedError } from './readPoolView.ts'

/** Converts the revert of a deposit, or of its view, to an error of the service. */
export function toDepositError(revert: Revert, valueRaw: bigint): ServiceError {
  const named = toRevertError(revert)
  switch (named.code) {
    case 'svc/pool-frozen':
      return new ServiceError('svc/pool-frozen', 'Cannot deposit: the pool is frozen by its owner', {})
    case 'svc/above-max-origin':
      return aboveCap(valueRaw)
    case 'svc/amount-too-small':
      return new ServiceError('svc/amount-too-small', 'Cannot deposit: the amount is too small to mint LP tokens', {})
    case 'svc/stale-price':
      return named
    default:
      return toRevertedError('deposit', revert)
  }
}

function aboveCap(valueRaw: bigint): ServiceError {
  const amountIn = Amount.format(valueRaw, 18)
  const message = `Cannot deposit ${amountIn} dollars: the pool would exceed its cap`
  return new ServiceError('svc/above-max-origin', message, { amountIn })
}

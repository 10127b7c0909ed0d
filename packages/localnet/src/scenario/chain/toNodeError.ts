import { ServiceError } from '@agio/core'
import { BaseError, HttpRequestError, TimeoutError, WaitForTransactionReceiptTimeoutError } from 'viem'

/**
 * Names what a local chain's own node did not do for a scenario: it was too slow, away, or refused. What is nothing of the
 * node's passes as it is.
 */
export function toNodeError(error: unknown): unknown {
  if (error instanceof SuppressedError) return toNodeError(error.error)
  if (!(error instanceof BaseError)) return error
  const cause = { cause: error }
  if (is(error, TimeoutError) || is(error, WaitForTransactionReceiptTimeoutError)) {
    return new ServiceError('svc/upstream-timeout', 'Cannot change the chain: its node took too long', cause)
  }
  if (is(error, HttpRequestError)) {
    return new ServiceError('svc/upstream-unavailable', 'Cannot change the chain: its node cannot be reached', cause)
  }
  return new ServiceError('svc/upstream-error', 'Cannot change the chain: its node refuses to', cause)
}

function is(error: BaseError, kind: new (...parameters: never[]) => Error): boolean {
  return error.walk((cause) => cause instanceof kind) instanceof kind
}

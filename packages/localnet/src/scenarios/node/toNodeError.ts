import { ServiceError } from '@agio/core'
import { BaseError, HttpRequestError, TimeoutError, WaitForTransactionReceiptTimeoutError } from 'viem'

/** Converts an error of a local node into a `svc/upstream-*` error; returns any other error unchanged. */
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
  return new ServiceError('svc/upstream-error', 'Cannot change the chain: its node rejected the request', cause)
}

function is(error: BaseError, kind: new (...parameters: never[]) => Error): boolean {
  return error.walk((cause) => cause instanceof kind) instanceof kind
}

import { Errors } from '@agio/core'
import { BaseError, HttpRequestError, TimeoutError, WaitForTransactionReceiptTimeoutError } from 'viem'

/** Converts an error of a local node into a `svc/upstream-*` error; returns any other error unchanged. */
export function toNodeError(error: unknown): unknown {
  if (error instanceof SuppressedError) return toNodeError(error.error)
  if (!(error instanceof BaseError)) return error
  const change = { action: 'change the chain', cause: error }
  if (is(error, TimeoutError) || is(error, WaitForTransactionReceiptTimeoutError)) {
    return Errors.upstreamTimeout({ ...change, reason: 'its node took too long' })
  }
  if (is(error, HttpRequestError))
    return Errors.upstreamUnavailable({ ...change, reason: 'its node cannot be reached' })
  return Errors.upstreamError({ ...change, reason: 'its node rejected the request' })
}

function is(error: BaseError, kind: new (...parameters: never[]) => Error): boolean {
  return error.walk((cause) => cause instanceof kind) instanceof kind
}

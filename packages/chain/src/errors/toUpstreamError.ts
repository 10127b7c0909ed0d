import { Errors, ServiceError } from '@agio/core'
import { BaseError, HttpRequestError, SocketClosedError, TimeoutError } from 'viem'
import { findCause } from './findCause.ts'

/**
 * Converts the error of a failed request to a node to `svc/upstream-timeout`, `svc/upstream-unavailable` or
 * `svc/upstream-error`. The message never contains a URL.
 *
 * A `ServiceError` is returned unchanged, even from inside an error of viem.
 */
export function toUpstreamError(error: unknown): ServiceError {
  // viem wraps unknown errors in its own errors.
  const serviceError = error instanceof ServiceError ? error : find(error, ServiceError)
  if (serviceError) return serviceError
  const read = { action: 'read the chain', cause: error }
  if (find(error, TimeoutError)) return Errors.upstreamTimeout({ ...read, reason: 'its node did not answer in time' })
  if (isUnavailable(error)) return Errors.upstreamUnavailable({ ...read, reason: 'its node cannot be reached' })
  return Errors.upstreamError({ ...read, reason: 'its node returned an error or an invalid response' })
}

/** Throws the result of `toUpstreamError`, for the `catch` of a request to a node. */
export function rethrowUpstream(error: unknown): never {
  throw toUpstreamError(error)
}

function isUnavailable(error: unknown): boolean {
  if (findCause(error) === 'rate') return true
  if (find(error, SocketClosedError)) return true
  const http = find(error, HttpRequestError)
  if (!http) return false
  // Without a status there was no response, or the response is not JSON.
  if (http.status === undefined) return !(http.cause instanceof SyntaxError)
  return http.status === 429 || http.status >= 500
}

function find<Kind extends Error>(error: unknown, kind: new (...parameters: never[]) => Kind): Kind | undefined {
  if (!(error instanceof BaseError)) return undefined
  const found = error.walk((cause) => cause instanceof kind)
  return found instanceof kind ? found : undefined
}

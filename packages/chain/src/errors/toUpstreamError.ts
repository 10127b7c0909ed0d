import { ServiceError } from '@agio/core'
import { BaseError, HttpRequestError, RpcRequestError, SocketClosedError, TimeoutError } from 'viem'

/**
 * Names a failed call to a node: too slow, unreachable, or answered badly. The message never holds a URL.
 *
 * A `ServiceError` passes as it is, also out of an error of viem.
 */
export function toUpstreamError(error: unknown): ServiceError {
  // viem puts whatever it does not know into errors of its own.
  const known = error instanceof ServiceError ? error : find(error, ServiceError)
  if (known) return known
  const cause = { cause: error }
  if (find(error, TimeoutError)) {
    return new ServiceError('svc/upstream-timeout', 'Cannot read the chain: its node took too long', cause)
  }
  if (isUnavailable(error)) {
    return new ServiceError('svc/upstream-unavailable', 'Cannot read the chain: its node cannot be reached', cause)
  }
  return new ServiceError('svc/upstream-error', 'Cannot read the chain: its node answered badly', cause)
}

/** Throws what `toUpstreamError` makes of an error: the end of a chain of promises that ask a node. */
export function rethrowUpstream(error: unknown): never {
  throw toUpstreamError(error)
}

// What nodes answer to who calls too often (EIP-1474).
const limitExceeded = -32005

function isUnavailable(error: unknown): boolean {
  if (find(error, RpcRequestError)?.code === limitExceeded) return true
  if (find(error, SocketClosedError)) return true
  const http = find(error, HttpRequestError)
  if (!http) return false
  // Without a status there was no answer, or one that is no JSON.
  if (http.status === undefined) return !(http.cause instanceof SyntaxError)
  return http.status === 429 || http.status >= 500
}

function find<Kind extends Error>(error: unknown, kind: new (...parameters: never[]) => Kind): Kind | undefined {
  if (!(error instanceof BaseError)) return undefined
  const found = error.walk((cause) => cause instanceof kind)
  return found instanceof kind ? found : undefined
}

import { errorCatalogue, type ErrorDetails } from './errorCatalogue.ts'
import { ServiceError, type Cause, type Refusal } from './ServiceError.ts'

/** Returns the error for an invalid response of a node or a contract. */
export function upstreamError({ action, reason, cause }: Refusal & Cause) {
  return new ServiceError('svc/upstream-error', `Cannot ${action}: ${reason}`, { cause })
}

/** Returns the error for a node that is unreachable or lags behind. */
export function upstreamUnavailable({ action, reason, cause }: Refusal & Cause) {
  return new ServiceError('svc/upstream-unavailable', `Cannot ${action}: ${reason}`, { cause })
}

/** Returns the error for a node that did not respond in time. */
export function upstreamTimeout({ action, reason, cause }: Refusal & Cause) {
  return new ServiceError('svc/upstream-timeout', `Cannot ${action}: ${reason}`, { cause })
}

/** Returns the error for a database that cannot be reached, read or written. */
export function storageUnavailable({ action, reason, cause }: Refusal & Cause) {
  return new ServiceError('svc/storage-unavailable', `Cannot ${action}: ${reason}`, { cause })
}

/** Returns the error for a stream above the limit of a process. Another process behind the same URL may have room. */
export function streamsFull({ limit }: { readonly limit: number }) {
  const message = `Cannot open a stream: the process has ${limit} of ${limit} streams open`
  return new ServiceError('svc/streams-full', message, { retryAfterSeconds: 5 })
}

/** Returns the error for a fault of the service itself. */
export function internal({
  action = 'answer the request',
  reason = 'the service failed',
  cause,
}: Partial<Refusal> & Cause = {}) {
  return new ServiceError('svc/internal', `Cannot ${action}: ${reason}`, { cause })
}

/**
 * Adds the transaction's hash to the error of a broadcast. After a fault of the service or its nodes, the message says that
 * the transaction may be mined despite the error. Returns an error whose code has no transaction hash unchanged.
 */
export function withTransactionHash(error: ServiceError, transactionHash: string): ServiceError {
  const { code, message, details } = error
  const fields: readonly string[] = errorCatalogue[code].details
  if (!fields.includes('transactionHash')) return error
  const completed = { ...details, transactionHash, cause: error } as ErrorDetails<typeof code> & Cause
  const isFault = errorCatalogue[code].class === 'upstream'
  return new ServiceError(code, isFault ? `${message}; ${hashNote}` : message, completed)
}

const hashNote =
  'the transaction may be mined despite this error; broadcasting the same bytes again is safe, and transaction/track tells its state'

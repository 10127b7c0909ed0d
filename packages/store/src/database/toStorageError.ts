import { ServiceError } from '@agio/core'

// What PostgreSQL answers while it cannot serve: connection failures, no resources, shutting down or starting up.
const unavailable = /^(08|53|57P0|25006)/

/**
 * Tells a database that cannot be reached from one that refuses a statement.
 *
 * @returns `svc/storage-unavailable`, or the error itself if the statement was at fault
 */
export function toStorageError(error: unknown): unknown {
  const root = rootOf(error)
  const state = (root as { readonly code?: unknown }).code
  // A refusal of PostgreSQL has a state of five characters; whatever else fails, fails on the way.
  const isRefusal = typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state) && 'severity' in root
  if (isRefusal && !unavailable.test(state)) return error
  return new ServiceError('svc/storage-unavailable', 'Cannot read keys and usage: the database cannot be reached', {
    cause: error,
  })
}

function rootOf(error: unknown): object {
  let root = error
  while (root instanceof Error && root.cause !== undefined) root = root.cause
  return typeof root === 'object' && root !== null ? root : {}
}

import { Errors, ServiceError } from '@agio/core'

// SQLSTATEs of a server that can read but cannot write.
const unwritable: Readonly<Record<string, string>> = {
  '53100': 'the disk of the database is full',
  '25006': 'the database is read-only',
}

// SQLSTATEs of a server that cannot execute any such statement: connection failure, insufficient resources, shutdown or
// start-up, read-only.
const unavailable = /^(08|53|57P0|25006)/

/**
 * Converts the error of a query if the database cannot be reached or written.
 *
 * @returns `svc/storage-unavailable`, or the error itself if the statement was at fault
 */
export function toStorageError(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  const root = rootOf(error)
  const state = (root as { readonly code?: unknown }).code
  // PostgreSQL rejects a statement with a five-character state. Other errors come from the connection.
  const isRejection = typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state) && 'severity' in root
  if (isRejection && !unavailable.test(state)) return error
  const reason = unwritable[String(state)]
  if (reason !== undefined) return Errors.storageUnavailable({ action: 'write keys and usage', reason, cause: error })
  return Errors.storageUnavailable({
    action: 'read keys and usage',
    reason: 'the database cannot be reached',
    cause: error,
  })
}

/** Throws the storage error of a failed query. */
export function throwStorageError(error: unknown): never {
  throw toStorageError(error)
}

function rootOf(error: unknown): object {
  let root = error
  while (root instanceof Error && root.cause !== undefined) root = root.cause
  return typeof root === 'object' && root !== null ? root : {}
}

import { Errors, ServiceError } from '@agio/core'

type Unavailability = Parameters<typeof Errors.storageUnavailable>[0]

const toRead = (reason: string): Unavailability => ({ action: 'read keys and usage', reason })
const toWrite = (reason: string): Unavailability => ({ action: 'write keys and usage', reason })
const unreachable = toRead('the database cannot be reached')

// The SQLSTATEs whose cause is the server or another statement, by prefix. A retry may succeed.
const unavailabilities: readonly (readonly [string, Unavailability])[] = [
  ['08', unreachable],
  ['25006', toWrite('the database is read-only')],
  ['25P03', toRead('the database ended an idle transaction')],
  ['25P04', toRead('the database ended a slow transaction')],
  ['28', toRead('the database refuses the connection')],
  ['3D000', toRead('the database refuses the connection')],
  ['40001', toRead('another transaction changed the same rows')],
  ['40003', unreachable],
  ['40P01', toRead('another transaction changed the same rows')],
  ['42501', toRead('the database role lacks a right')],
  ['53100', toWrite('the disk of the database is full')],
  ['53', unreachable],
  ['55P03', toRead('another transaction holds a lock for too long')],
  ['57014', toRead('the database cancelled the query')],
  ['57', unreachable],
  ['58', toRead('the database has a system error')],
  ['XX', toRead('the database has an internal error')],
]

/**
 * Converts the error of a query if the database cannot be reached or written, or cannot execute the statement at present.
 *
 * @returns `svc/storage-unavailable`, or the error itself if the statement was at fault
 */
export function toStorageError(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  const state = findSqlState(error)
  const unavailability = state === undefined ? unreachable : findUnavailability(state)
  return unavailability ? Errors.storageUnavailable({ ...unavailability, cause: error }) : error
}

/**
 * Returns whether the server failed at a statement, cancelled it or had too little memory for it. The rows of the statement may
 * be the cause, and then no retry succeeds.
 */
export function isServerFailure(error: unknown): boolean {
  return /^(58|XX|57014|53200)/.test(findSqlState(error) ?? '')
}

/** Returns whether the database refused a statement for the values of its rows or for a constraint. No retry can succeed. */
export function isRefusedData(error: unknown): boolean {
  return /^2[23]/.test(findSqlState(error) ?? '')
}

/** Returns the SQLSTATE with which PostgreSQL rejected a statement; undefined for errors of the connection. */
export function findSqlState(error: unknown): string | undefined {
  const root = rootOf(error)
  const { code } = root as { readonly code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in root ? code : undefined
}

// The classes whose messages quote names, and never a value: connection, transactions, authorization, database, rights and names,
// resources, and shutdowns.
const spokenClasses = /^(?:08|25|28|3D|42|53|57)/

/**
 * Returns the SQLSTATE of a failed statement or connection, with PostgreSQL's sentence if it contains no value; undefined if the
 * error is not PostgreSQL's.
 */
export function findPostgresSentence(error: unknown): string | undefined {
  const state = findSqlState(error)
  if (state === undefined) return undefined
  const { message } = rootOf(error) as Error
  return `SQLSTATE ${state}${spokenClasses.test(state) ? `: ${message}` : ''}`
}

function findUnavailability(state: string): Unavailability | undefined {
  return unavailabilities.find(([start]) => state.startsWith(start))?.[1]
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

import type { AgioErrorAction } from '@agio/sdk'
import { findAgioError } from './findAgioError.ts'

/** The fields of an error that the page shows, from an `AgioError`, the JSON error of a step, or any other error. */
export type Failure = {
  /** A code of the service or the client, or `page/failed` for an error without a code. */
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly action?: AgioErrorAction | undefined
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
}

/** Returns the fields to show for a thrown value or the error of a step. */
export function toFailure(error: unknown): Failure {
  const agioError = findAgioError(error)
  if (agioError) {
    const { code, message, details, action, requestId, retryAfterSeconds } = agioError
    return { code, message, details, action, requestId, retryAfterSeconds }
  }
  if (isPlainFailure(error)) return { ...error, details: error.details ?? {} }
  return { code: 'page/failed', message: error instanceof Error ? error.message : String(error), details: {} }
}

type PlainFailure = Omit<Failure, 'details'> & { readonly details?: Failure['details'] }

function isPlainFailure(error: unknown): error is PlainFailure {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
}

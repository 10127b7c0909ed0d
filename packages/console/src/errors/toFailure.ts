import { findAgioError } from '../service/findAgioError.ts'

/** What can be shown of an error: of an `AgioError`, of the error of a step, which is JSON, or of any other. */
export type Failure = {
  /** A code of the service or of its client; `console/failed` for what has none. */
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly action?: string | undefined
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
}

/** Returns what can be shown of something that was thrown, or of the error of a step. */
export function toFailure(error: unknown): Failure {
  const known = findAgioError(error)
  if (known) {
    const { code, message, details, action, requestId, retryAfterSeconds } = known
    return { code, message, details, action, requestId, retryAfterSeconds }
  }
  if (isPlainFailure(error)) return { ...error, details: error.details ?? {} }
  return { code: 'console/failed', message: error instanceof Error ? error.message : String(error), details: {} }
}

type PlainFailure = Omit<Failure, 'details'> & { readonly details?: Failure['details'] }

function isPlainFailure(error: unknown): error is PlainFailure {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
}

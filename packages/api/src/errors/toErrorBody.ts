import { errorCatalogue, type ErrorCode } from '@agio/core'
import { toServiceError } from './toServiceError.ts'

/** A failure as it goes over the wire, beside `success` and `requestId`. */
export type ErrorBody = {
  readonly status: number
  /** Starts with the code, for clients that read only the sentence. */
  readonly message: string
  readonly code: ErrorCode
  /** Where the code is documented, relative to the service. */
  readonly type: string
  readonly retryable: boolean
  /** What the caller should do next. */
  readonly action: (typeof errorCatalogue)[ErrorCode]['action']
} & Readonly<Record<string, unknown>>

/**
 * Maps whatever was thrown to the one failure that the wire shows.
 *
 * @param input the request's fields, to quote the refused value
 * @param chains the served chains by id, to list them
 */
export function toErrorBody(error: unknown, input?: unknown, chains?: object): ErrorBody {
  const { code, message, details } = toServiceError(error, input, chains)
  const { status, retryable, action } = errorCatalogue[code]
  return {
    status,
    message: `${code}: ${message}`,
    code,
    type: `/docs/errors#${code.slice('svc/'.length)}`,
    retryable,
    action,
    ...details,
  }
}

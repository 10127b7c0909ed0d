import { errorCatalogue, type ErrorCode } from '@agio/core'
import { toServiceError } from './toServiceError.ts'

/** The status of an error response, and its body without `success` and `requestId`. */
export type ErrorBody = {
  readonly status: number
  /** Begins with the code, for clients that show only the message. */
  readonly message: string
  readonly code: ErrorCode
  /** The documentation of the code, relative to the service. */
  readonly type: string
  readonly retryable: boolean
  /** What to do next. */
  readonly action: (typeof errorCatalogue)[ErrorCode]['action']
} & Readonly<Record<string, unknown>>

/**
 * Returns the error response of any thrown value.
 *
 * @param input the fields of the request, to echo the refused value
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

/** Returns the sent error body: with the message as `error`, and the id of the request. */
export function toFailure({ status: _, message, ...fields }: ErrorBody, requestId: string): Failure {
  return { success: false, error: message, ...fields, requestId }
}

/** The body of an error response. */
export type Failure = Readonly<Record<string, unknown>> & {
  readonly success: false
  readonly error: string
  readonly requestId: string
}

import { errorCatalogue, type ErrorCode, Errors, ServiceError } from '@agio/core'
import { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { toInputError } from './toInputError.ts'

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

/** Returns the sent error body: with the message as `error`, and the ids of the request and of its trace. */
export function toFailure({ status: _, message, ...fields }: ErrorBody, { requestId, trace }: FailedRequest): Failure {
  return { success: false, error: message, ...fields, requestId, ...(trace && { traceId: trace.traceId }) }
}

/** The request that an error response names. */
export type FailedRequest = {
  readonly requestId: string
  /** The trace of the request; undefined if it is not traced. */
  readonly trace?: { readonly traceId: string } | undefined
}

/** The body of an error response. */
export type Failure = Readonly<Record<string, unknown>> & {
  readonly success: false
  readonly error: string
  readonly requestId: string
  /** The id of the trace, if the request is traced. */
  readonly traceId?: string
}

/**
 * Returns the service error of any thrown value. An unexpected error is `svc/internal`. All error responses use this
 * function.
 *
 * @param input the fields of the request, to echo the refused value
 * @param chains the served chains by id, to list them
 */
export function toServiceError(error: unknown, input?: unknown, chains?: object): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof TRPCError) {
    if (error.cause instanceof ServiceError) return error.cause
    if (error.code === 'BAD_REQUEST' && error.cause instanceof ZodError) return toInputError(error.cause, input, chains)
    const protocolError = trpcErrors[error.code]
    if (protocolError) return protocolError
  }
  return Errors.internal({ cause: error })
}

// tRPC's own errors, thrown before a procedure is called.
const trpcErrors: Partial<Record<TRPCError['code'], ServiceError>> = {
  NOT_FOUND: Errors.notFound({ action: 'find the procedure', reason: 'no procedure exists at this path' }),
  METHOD_NOT_SUPPORTED: Errors.methodNotAllowed({ path: 'the procedure', method: 'this method', allow: 'POST' }),
  UNSUPPORTED_MEDIA_TYPE: Errors.unsupportedMediaType({ reason: 'its type is not application/json' }),
  PARSE_ERROR: Errors.unreadableRequest({ reason: 'it is not valid JSON' }),
  PAYLOAD_TOO_LARGE: Errors.payloadTooLarge({ reason: 'it is too large' }),
  BAD_REQUEST: Errors.invalidRequest({ field: 'input', action: 'read the request', reason: 'it is malformed' }),
}

import { catalogue, ServiceError, type ErrorCode } from '@agio/core'
import { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { toInputError } from './toInputError.ts'

/** A failure as it goes over the wire, beside `success` and `requestId`. */
export type Failure = {
  readonly status: number
  /** Starts with the code, for clients that read only the sentence. */
  readonly message: string
  readonly code: ErrorCode
  /** Where the code is documented, relative to the service. */
  readonly type: string
  readonly retryable: boolean
  /** What the caller should do next. */
  readonly action: (typeof catalogue)[ErrorCode]['action']
} & Readonly<Record<string, unknown>>

/**
 * Maps whatever was thrown to the one failure that the wire shows: the only place where that is decided.
 *
 * @param input the request's fields, to quote the refused value
 */
export function toFailure(error: unknown, input?: unknown): Failure {
  const { code, message, details } = toServiceError(error, input)
  const { status, retryable, action } = catalogue[code]
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

// What tRPC itself refuses, before a procedure is reached.
const ownRefusals: Partial<Record<TRPCError['code'], ServiceError>> = {
  NOT_FOUND: new ServiceError('svc/not-found', 'Cannot find the procedure: there is none at this path', {}),
  METHOD_NOT_SUPPORTED: new ServiceError('svc/method-not-allowed', 'Cannot call the procedure by this method', {}),
  UNSUPPORTED_MEDIA_TYPE: new ServiceError(
    'svc/unsupported-media-type',
    'Cannot read the body: it is not declared as application/json',
    {},
  ),
  PARSE_ERROR: new ServiceError('svc/invalid-request', 'Cannot read the body: it is not valid JSON', {
    field: 'body',
    value: undefined,
  }),
  PAYLOAD_TOO_LARGE: new ServiceError('svc/payload-too-large', 'Cannot read the body: it is too large', {}),
  BAD_REQUEST: new ServiceError('svc/invalid-request', 'Cannot read the request: it is malformed', {
    field: 'input',
    value: undefined,
  }),
}

function toServiceError(error: unknown, input: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof TRPCError) {
    if (error.cause instanceof ServiceError) return error.cause
    if (error.code === 'BAD_REQUEST' && error.cause instanceof ZodError) return toInputError(error.cause, input)
    const refusal = ownRefusals[error.code]
    if (refusal) return refusal
  }
  return new ServiceError('svc/internal', 'Cannot answer the request: the service failed', { cause: error })
}

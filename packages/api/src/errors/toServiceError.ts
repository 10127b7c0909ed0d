import { ServiceError } from '@agio/core'
import { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { toInputError } from './toInputError.ts'

/**
 * Returns the service error of anything that was thrown; an unexpected error is `svc/internal`. Only this function decides.
 *
 * @param input the fields of the request, to echo the refused value
 * @param chains the served chains by id, to list them
 */
export function toServiceError(error: unknown, input?: unknown, chains?: object): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof TRPCError) {
    if (error.cause instanceof ServiceError) return error.cause
    if (error.code === 'BAD_REQUEST' && error.cause instanceof ZodError) return toInputError(error.cause, input, chains)
    const known = trpcErrors[error.code]
    if (known) return known
  }
  return new ServiceError('svc/internal', 'Cannot answer the request: the service failed', { cause: error })
}

// tRPC's own errors, thrown before a procedure is called.
const trpcErrors: Partial<Record<TRPCError['code'], ServiceError>> = {
  NOT_FOUND: new ServiceError('svc/not-found', 'Cannot find the procedure: there is none at this path', {}),
  METHOD_NOT_SUPPORTED: new ServiceError('svc/method-not-allowed', 'Cannot call the procedure by this method', {}),
  UNSUPPORTED_MEDIA_TYPE: new ServiceError(
    'svc/unsupported-media-type',
    'Cannot read the body: its type is not application/json',
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

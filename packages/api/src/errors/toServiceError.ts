import { Errors, ServiceError } from '@agio/core'
import { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { toInputError } from './toInputError.ts'

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
    const known = trpcErrors[error.code]
    if (known) return known
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

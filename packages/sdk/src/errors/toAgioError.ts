import type { ErrorAction, ErrorCode } from '../api/schemas.ts'
import { AgioError } from './AgioError.ts'
import { isObject } from './isObject.ts'

/**
 * An error of the service, from tRPC or from a topic of a stream. `data` has the common fields and the fields of its
 * code.
 */
export type ServiceFailure = {
  readonly message: string
  readonly data: {
    readonly code: ErrorCode
    readonly type?: string
    readonly path?: string
    /** Absent in an event of a stream. */
    readonly httpStatus?: number
    readonly retryable: boolean
    readonly action: ErrorAction
    readonly requestId?: string
    readonly retryAfterSeconds?: number
  }
}

/**
 * Returns whether a parsed response is an error of the service. Any code is accepted, because a newer service may have
 * new codes.
 */
export function isServiceFailure(error: unknown): error is ServiceFailure {
  const data = isObject(error) && error['data']
  return isObject(data) && typeof data['code'] === 'string' && data['code'].startsWith('svc/') && 'retryable' in data
}

/**
 * Converts an error response to an `AgioError`.
 *
 * @param retryAfterSeconds value of the header `Retry-After`, for codes without this field
 */
export function toAgioError({ message, data }: ServiceFailure, retryAfterSeconds?: number): AgioError<ErrorCode> {
  const { code, type: _, path: __, httpStatus: status, retryable, action, requestId, ...details } = data
  return new AgioError(code, message, {
    details,
    retryable,
    action,
    requestId,
    status,
    retryAfterSeconds: details.retryAfterSeconds ?? retryAfterSeconds,
  })
}

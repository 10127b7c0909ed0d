import type { ErrorAction, ErrorCode } from '../api/schemas.ts'
import { AgioError } from './AgioError.ts'
import { isObject } from './isObject.ts'

/** An error of the service over tRPC, or of a topic of a stream: its `data` has the common fields, and those of its code. */
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

/** Whether a parsed response is an error of the service, of any code: a newer service may have more than this package knows. */
export function isServiceFailure(error: unknown): error is ServiceFailure {
  const data = isObject(error) && error['data']
  return isObject(data) && typeof data['code'] === 'string' && data['code'].startsWith('svc/') && 'retryable' in data
}

/**
 * Returns the error of a failure of the service.
 *
 * @param retryAfterSeconds the header `Retry-After`, for codes without a field of that name
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

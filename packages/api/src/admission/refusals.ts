import { ServiceError } from '@agio/core'

/** The refusal of a request that can come again. */
export function rateLimited(reason: string, waitMs: number): ServiceError<'svc/rate-limited'> {
  const retryAfterSeconds = toRetryAfterSeconds(waitMs)
  const message = `Cannot answer the request: ${reason}. It can come again in ${retryAfterSeconds} s`
  return new ServiceError('svc/rate-limited', message, { retryAfterSeconds })
}

/** The refusal of a request for whose month no calls are left. */
export function quotaExceeded(limit: number, waitMs: number): ServiceError<'svc/quota-exceeded'> {
  const message = `Cannot answer the request: the ${limit} calls of this month are used up`
  return new ServiceError('svc/quota-exceeded', message, { retryAfterSeconds: toRetryAfterSeconds(waitMs) })
}

function toRetryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000))
}

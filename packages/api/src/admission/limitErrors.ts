import { ServiceError } from '@agio/core'

/** Returns the error of a request over a rate limit, with the time until the window ends. */
export function rateLimited(reason: string, waitMs: number): ServiceError<'svc/rate-limited'> {
  const retryAfterSeconds = toRetryAfterSeconds(waitMs)
  const message = `Cannot answer the request: ${reason}; retry in ${retryAfterSeconds} s`
  return new ServiceError('svc/rate-limited', message, { retryAfterSeconds })
}

/** Returns the error of a request over its key's monthly quota, with the time until the month ends. */
export function quotaExceeded(limit: number, waitMs: number): ServiceError<'svc/quota-exceeded'> {
  const message = `Cannot answer the request: monthly quota of ${limit} calls reached`
  return new ServiceError('svc/quota-exceeded', message, { retryAfterSeconds: toRetryAfterSeconds(waitMs) })
}

function toRetryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000))
}

import { ServiceError } from '@agio/core'

/** The refusal of a request that can come again. */
export function rateLimited(reason: string, waitMs: number): ServiceError<'svc/rate-limited'> {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  const message = `Cannot answer the request: ${reason}. It can come again in ${retryAfterSeconds} s`
  return new ServiceError('svc/rate-limited', message, { retryAfterSeconds })
}

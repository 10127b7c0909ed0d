import { ServiceError } from './ServiceError.ts'

/** Returns the error for a missing or unknown key. */
export function unauthorized({ reason }: { readonly reason: string }): ServiceError<'svc/unauthorized'> {
  return new ServiceError('svc/unauthorized', `Cannot answer the request: ${reason}`, {})
}

/** Returns the error for a revoked key, or for a secret whose overlap after a rotation has ended. */
export function keyRevoked({
  action = 'use the API key',
  reason = 'it was revoked',
}: { readonly action?: string; readonly reason?: string } = {}): ServiceError<'svc/key-revoked'> {
  return new ServiceError('svc/key-revoked', `Cannot ${action}: ${reason}`, {})
}

/** Returns the error for a request above a rate limit. `waitMs` is the time until its window ends. */
export function rateLimited({
  reason,
  waitMs,
}: {
  readonly reason: string
  readonly waitMs: number
}): ServiceError<'svc/rate-limited'> {
  const retryAfterSeconds = toRetryAfterSeconds(waitMs)
  const message = `Cannot answer the request: ${reason}; retry in ${retryAfterSeconds} s`
  return new ServiceError('svc/rate-limited', message, { retryAfterSeconds })
}

/** Returns the error for a key that has its maximum number of streams open. */
export function tooManyStreams({ limit }: { readonly limit: number }): ServiceError<'svc/rate-limited'> {
  const message = `Cannot open a stream: the key has ${limit} open, which is its limit; close one first`
  return new ServiceError('svc/rate-limited', message, { retryAfterSeconds: 1 })
}

/** Returns the error for a request above the monthly quota of its key. `waitMs` is the time until the month ends. */
export function quotaExceeded({
  limit,
  waitMs,
}: {
  readonly limit: number
  readonly waitMs: number
}): ServiceError<'svc/quota-exceeded'> {
  const message = `Cannot answer the request: monthly quota of ${limit} calls reached`
  return new ServiceError('svc/quota-exceeded', message, { retryAfterSeconds: toRetryAfterSeconds(waitMs) })
}

/** Returns the error for a webhook or a delivery that does not exist or belongs to another API key. */
export function webhookNotFound({
  kind,
  id,
}: {
  readonly kind: 'webhook' | 'delivery'
  readonly id: string
}): ServiceError<'svc/webhook-not-found'> {
  const message = `Cannot find ${kind} ${id.slice(0, 100)}: the API key has no ${kind} with this id`
  return new ServiceError('svc/webhook-not-found', message, {})
}

/** Returns the error for an API key that has the maximum number of webhooks or of followed transactions. */
export function webhookLimit({
  count,
  kind,
}: {
  readonly count: number
  readonly kind: string
}): ServiceError<'svc/webhook-limit'> {
  const message = `Cannot add to the webhooks: this API key has ${count} of ${count} ${kind}`
  return new ServiceError('svc/webhook-limit', message, {})
}

function toRetryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000))
}

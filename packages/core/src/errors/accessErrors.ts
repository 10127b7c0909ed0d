import type { Scope } from '../key/Scope.ts'
import { ServiceError } from './ServiceError.ts'

/** Returns the error for a missing or unknown key. */
export function unauthorized({ reason }: { readonly reason: string }) {
  return new ServiceError('svc/unauthorized', `Cannot answer the request: ${reason}`, {})
}

/** Returns the error for a revoked key, or for a secret whose overlap after a rotation has ended. */
export function keyRevoked({
  action = 'use the API key',
  reason = 'it was revoked',
}: { readonly action?: string; readonly reason?: string } = {}) {
  return new ServiceError('svc/key-revoked', `Cannot ${action}: ${reason}`, {})
}

/** Returns the error for an operator without a role that an operation needs. */
export function forbiddenRole({ role }: { readonly role: string }) {
  const message = `Cannot answer the request: it needs the role ${role}, which this operator does not have`
  return new ServiceError('svc/forbidden-role', message, { role })
}

/** Returns the error for a key after its time of expiry. */
export function keyExpired({ expiresAt }: { readonly expiresAt: Date }) {
  return new ServiceError('svc/key-expired', `Cannot use the API key: it expired at ${expiresAt.toISOString()}`, {})
}

/** Returns the error for a client address that the key does not allow. The address may be internal, so it is not named. */
export function addressForbidden() {
  const message = 'Cannot use the API key: it does not allow the address of the client'
  return new ServiceError('svc/address-forbidden', message, {})
}

/** Returns the error for an origin that the key does not allow, or for a request without an origin. */
export function originForbidden({ hasOrigin }: { readonly hasOrigin: boolean }) {
  const reason = hasOrigin ? 'it does not allow the origin of the request' : 'the request has no Origin header'
  return new ServiceError('svc/origin-forbidden', `Cannot use the API key: ${reason}`, {})
}

/** Returns the error for a request whose `Host` is not a name of the service. */
export function hostForbidden() {
  return new ServiceError(
    'svc/origin-forbidden',
    'Cannot serve the request: its Host is not a name of this service',
    {},
  )
}

/** Returns the error for a request of a page that `CORS_ORIGINS` and the keys do not list. */
export function pageForbidden() {
  return new ServiceError('svc/origin-forbidden', 'Cannot serve the request: its Origin is not allowed', {})
}

/** Returns the error for an operation whose scope the API key does not have. */
export function forbiddenScope({ operation, scope }: { readonly operation: string; readonly scope: Scope }) {
  const message = `Cannot call ${operation}: the API key does not have the scope ${scope}`
  return new ServiceError('svc/forbidden-scope', message, { scope })
}

/** Returns the error for a request above a rate limit. `waitMs` is the time until its window ends. */
export function rateLimited({ reason, waitMs }: { readonly reason: string; readonly waitMs: number }) {
  const retryAfterSeconds = toRetryAfterSeconds(waitMs)
  const message = `Cannot answer the request: ${reason}; retry in ${retryAfterSeconds} s`
  return new ServiceError('svc/rate-limited', message, { retryAfterSeconds })
}

/** Returns the milliseconds to wait after `svc/rate-limited`; undefined for another error. */
export function findRateLimitMs(error: unknown): number | undefined {
  if (!(error instanceof ServiceError) || error.code !== 'svc/rate-limited') return undefined
  return 1000 * (error as ServiceError<'svc/rate-limited'>).details.retryAfterSeconds
}

/** Returns the error for a key that has its maximum number of streams open. */
export function tooManyStreams({ limit }: { readonly limit: number }) {
  const message = `Cannot open a stream: the key has ${limit} open, which is its limit; close one first`
  return new ServiceError('svc/rate-limited', message, { retryAfterSeconds: 1 })
}

/** Returns the error for a request above the monthly quota of its key. `waitMs` is the time until the month ends. */
export function quotaExceeded({ limit, waitMs }: { readonly limit: number; readonly waitMs: number }) {
  const message = `Cannot answer the request: monthly quota of ${limit} calls reached`
  return new ServiceError('svc/quota-exceeded', message, { retryAfterSeconds: toRetryAfterSeconds(waitMs) })
}

/** Returns the error for a webhook or a delivery that does not exist or belongs to another API key. */
export function webhookNotFound({ kind, id }: { readonly kind: 'webhook' | 'delivery'; readonly id: string }) {
  const message = `Cannot find ${kind} ${id.slice(0, 100)}: the API key has no ${kind} with this id`
  return new ServiceError('svc/webhook-not-found', message, {})
}

/** Returns the error for an API key that has the maximum number of webhooks or of followed transactions. */
export function webhookLimit({ count, kind }: { readonly count: number; readonly kind: string }) {
  const message = `Cannot add to the webhooks: this API key has ${count} of ${count} ${kind}`
  return new ServiceError('svc/webhook-limit', message, {})
}

function toRetryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000))
}

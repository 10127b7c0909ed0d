import { toFailure, type ErrorBody } from '../errors/toErrorBody.ts'
import { createCommonHeaders } from './responseHeaders.ts'
import type { RequestTrace } from './RequestTrace.ts'
import type { HttpReply } from './HttpReply.ts'

/** Returns a JSON reply with the headers of all responses, the limits of the API key, and its expiry. */
export function respond(
  { requestId, rateLimit, keyExpiresAt }: respond.To,
  { status = 200, body, headers }: respond.Content,
): HttpReply {
  const all = createCommonHeaders(requestId)
  all['content-type'] = 'application/json'
  // CORS headers depend on the origin.
  all['vary'] = 'Origin'
  Object.assign(all, headers)
  if (rateLimit) {
    all['ratelimit-policy'] = rateLimit.policy
    all['ratelimit'] = rateLimit.state
  }
  if (keyExpiresAt !== undefined) all['x-api-key-expires-at'] = keyExpiresAt
  // After a time-out, the rest of the request may still arrive on this connection.
  if (status === 408) all['connection'] = 'close'
  return { status, headers: all, body }
}

export declare namespace respond {
  type To = {
    readonly requestId: string
    /** The trace of the request, which errors name. */
    readonly trace?: RequestTrace | undefined
    readonly rateLimit?: RateLimit | undefined
    /** When the API key expires, as ISO 8601; only within the last days before. */
    readonly keyExpiresAt?: string | undefined
  }
  type Content = {
    /** 200 by default. */
    readonly status?: number
    readonly body: string | Response['body']
    /** Headers in addition to the common headers. */
    readonly headers?: Readonly<Record<string, string>>
  }
}

/** The limits of a key and the remaining calls, as `RateLimit-Policy` and `RateLimit`. */
export type RateLimit = { readonly policy: string; readonly state: string }

/** Returns the reply of an error in the envelope, with `Retry-After` for 429 and 503. */
export function respondWithError(
  to: respond.To,
  error: ErrorBody,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  const { status } = error
  const body = JSON.stringify(toFailure(error, to))
  return respond(to, { status, body, headers: { ...headers, ...retryAfter(status, error) } })
}

/** Returns the header `Retry-After`, in whole seconds, for 429 and 503; no header for other statuses. */
export function retryAfter(status: number, fields: object): Readonly<Record<string, string>> {
  if (status !== 429 && status !== 503) return {}
  return { 'retry-after': String('retryAfterSeconds' in fields ? Math.max(1, Number(fields.retryAfterSeconds)) : 1) }
}

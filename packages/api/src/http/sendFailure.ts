import type { Failure } from '../failure/toFailure.ts'
import { respond } from './respond.ts'
import type { Visit } from '../visit/Visit.ts'

/** Answers a visit with a failure in the envelope, with `Retry-After` where waiting can help. */
export function sendFailure(
  visit: Visit,
  { status, message, ...failure }: Failure,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = JSON.stringify({ success: false, error: message, ...failure, requestId: visit.requestId })
  return respond(visit, { status, body, headers: { ...headers, ...retryAfter(status, failure) } })
}

/** The header that tells in whole seconds when the same request may succeed, for the statuses that must say so. */
export function retryAfter(status: number, failure: object): Readonly<Record<string, string>> {
  if (status !== 429 && status !== 503) return {}
  return { 'retry-after': String('retryAfterSeconds' in failure ? Math.max(1, Number(failure.retryAfterSeconds)) : 1) }
}

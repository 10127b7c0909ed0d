import type { Failure } from '../failure/toFailure.ts'

/** Writes a failure as the envelope, with `Retry-After` where waiting can help. */
export function sendFailure({ status, message, ...failure }: Failure, requestId: string): Response {
  const headers = new Headers({ 'content-type': 'application/json' })
  const retryAfter = retryAfterSeconds(status, failure)
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter))
  return new Response(JSON.stringify({ success: false, error: message, ...failure, requestId }), { status, headers })
}

/** Whole seconds until the same request may succeed, for the statuses that must say so. */
export function retryAfterSeconds(status: number, failure: object): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  return 'retryAfterSeconds' in failure ? Math.max(1, Number(failure.retryAfterSeconds)) : 1
}

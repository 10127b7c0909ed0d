import type { Visit } from '../visit/Visit.ts'

/** Answers a visit with JSON, and with the headers that every answer carries. */
export function respond({ requestId, rateLimit }: Visit, { status = 200, body, headers }: respond.Answer): Response {
  const all: Record<string, string> = {
    'content-type': 'application/json',
    'x-request-id': requestId,
    // Pages of some origins are told that they may read the answer.
    vary: 'Origin',
    ...headers,
  }
  if (rateLimit) {
    all['ratelimit-policy'] = rateLimit.policy
    all['ratelimit'] = rateLimit.state
  }
  return new Response(body, { status, headers: all })
}

export declare namespace respond {
  type Answer = {
    /** 200 by default. */
    readonly status?: number
    readonly body: string | Response['body']
    /** Beside the common ones. */
    readonly headers?: Readonly<Record<string, string>>
  }
}

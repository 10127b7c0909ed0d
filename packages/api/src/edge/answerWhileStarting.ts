import { Errors } from '@agio/core'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { toResponse } from '../http/HttpReply.ts'
import { respond, respondWithError } from '../http/respond.ts'

/** Returns the response of a service that waits for its database: it is live, and every other path is 503 with `Retry-After`. */
export function answerWhileStarting({ url }: Pick<Request, 'url'>): Response {
  const to = { requestId: crypto.randomUUID() }
  if (new URL(url).pathname === '/health/live') {
    return toResponse(respond(to, { body: JSON.stringify({ status: 'live' }) }))
  }
  const unavailable = Errors.storageUnavailable({
    action: 'answer the request',
    reason: 'the service is starting and waits for its database',
  })
  return toResponse(respondWithError(to, toErrorBody(unavailable)))
}

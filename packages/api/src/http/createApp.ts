import type { ServiceError } from '@agio/core'
import { createAdmit } from '../admission/createAdmit.ts'
import { createAuthenticate } from '../admission/createAuthenticate.ts'
import { createRequestLimiter } from '../admission/createRequestLimiter.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { createExchange, type HttpExchange } from '../exchange/HttpExchange.ts'
import { createUnreadExchange, type UnreadRequest } from '../exchange/UnreadRequest.ts'
import { toHealth, type Health } from '../health/toHealth.ts'
import { createQuotes } from '../quote/createQuotes.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { createHttpRoutes } from './createHttpRoutes.ts'
import { createRefuse } from './createRefuse.ts'
import { createRestEdge } from './createRestEdge.ts'
import { createTrpcEdge } from './createTrpcEdge.ts'
import { toGetExchange, toHeadResponse } from './headRequests.ts'
import type { HttpResult } from './HttpResult.ts'
import { respondWithError } from './respond.ts'

/**
 * Creates the service as one web-standard handler: REST, tRPC, documentation and health, with a log line per response.
 *
 * @example
 * const { fetch } = createApp(settings)
 * const response = await fetch(new Request('http://localhost/health'), '127.0.0.1')
 */
export function createApp(settings: AppSettings): App {
  const { log, metrics, isDraining, now = Date.now } = settings
  const startedAtMs = performance.now()
  const readHealth = () => {
    const monotonicMs = performance.now()
    return toHealth(settings, { nowMs: now(), monotonicMs, uptimeMs: monotonicMs - startedAtMs })
  }
  const authenticate = createAuthenticate(settings)
  const admit = createAdmit(settings, authenticate)
  const quotes = createQuotes(settings)
  const edges = {
    rest: createRestEdge({ ...settings, admit, quotes }),
    trpc: createTrpcEdge({ ...settings, admit, quotes }),
  }
  const refuse = createRefuse({ ...settings, quotes })
  const requests = createRequestLimiter(settings)
  const serveRoutes = createHttpRoutes(settings, { ...edges, ...authenticate, readHealth })

  async function serve(exchange: HttpExchange): Promise<HttpResult> {
    const { request, path } = exchange
    try {
      // Only browsers send an origin, and only they need CORS headers.
      const isBrowser = request.method === 'OPTIONS' || request.headers.has('origin')
      if (!isBrowser && path.startsWith('/api/v1/')) return await edges.rest(exchange)
      if (!isBrowser && path.startsWith('/trpc/')) return await edges.trpc(exchange)
      return await serveRoutes(exchange)
    } catch (error) {
      return { response: respondWithError(exchange, toErrorBody(error)), error }
    }
  }
  function record(
    { requestId, receivedAtMs }: HttpExchange,
    { response, operation, keyId, error }: HttpResult,
    { method, path }: Pick<UnreadRequest, 'method' | 'path'>,
  ): Response {
    const { status } = response
    if (isDraining()) response.headers.set('connection', 'close')
    const ms = Math.round((performance.now() - receivedAtMs) * 1000) / 1000
    metrics.observe({ operation: operation ?? 'other', status, ms })
    const fields = { requestId, keyId, operation, method, path, status, ms }
    if (status >= 500 && error !== undefined) log.error({ ...fields, err: error }, 'failed')
    else log.info(fields, 'answered')
    return response
  }
  return {
    readHealth,
    async fetch(request, address) {
      const exchange = createExchange(request, address, performance.now())
      const isHead = request.method === 'HEAD'
      const subject = requests.begin(exchange)
      try {
        const result =
          subject === undefined
            ? await refuse(exchange, requests.error)
            : await serve(isHead ? toGetExchange(exchange) : exchange)
        const sent = isHead ? { ...result, response: await toHeadResponse(result) } : result
        return record(exchange, sent, { method: request.method, path: exchange.path })
      } finally {
        if (subject !== undefined) requests.end(subject)
      }
    },
    async refuse(error, unread) {
      const exchange = createUnreadExchange(unread, performance.now())
      return record(exchange, await refuse(exchange, error), unread)
    },
  }
}

export type App = {
  /**
   * Returns the response to a request.
   *
   * @param address the remote address of its connection
   */
  fetch(request: Request, address: string): Promise<Response>
  /**
   * Returns the response to a request that could not be read, in the error shape of its path. It is logged and counted like
   * any other.
   */
  refuse(error: ServiceError, request: UnreadRequest): Promise<Response>
  /** Returns the body of `/health`, from memory. */
  readHealth(): Health
}

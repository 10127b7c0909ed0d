import type { ServiceError } from '@agio/core'
import { createAdmit } from '../admission/createAdmit.ts'
import { createAuthenticate } from '../admission/createAuthenticate.ts'
import { createKeyLimiter } from '../admission/createKeyLimiter.ts'
import { createRequestLimiter } from '../admission/createRequestLimiter.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { createExchange, type HttpExchange } from '../http/HttpExchange.ts'
import type { HttpRequest } from '../http/HttpRequest.ts'
import { createUnreadExchange, type UnreadRequest } from '../http/UnreadRequest.ts'
import { toHealth, type Health } from '../health/toHealth.ts'
import { createQuotes } from '../quote/createQuotes.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { createStreams } from '../stream/createStreams.ts'
import { createCallerStreams } from './createCallerStreams.ts'
import { createContexts } from './createContexts.ts'
import { createHttpEndpoints } from './createHttpEndpoints.ts'
import { createRestEdge } from './createRestEdge.ts'
import { createStreamEdge, streamPath } from './createStreamEdge.ts'
import { createTrpcEdge, refuseTrpc } from './createTrpcEdge.ts'
import { toGetRequest, toHeadResponse } from './headRequests.ts'
import { toResponse, type HttpReply } from '../http/HttpReply.ts'
import type { HttpResult } from '../http/HttpResult.ts'
import { respondWithError } from '../http/respond.ts'

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
  const limitKey = createKeyLimiter(settings)
  const admit = createAdmit({ ...settings, limitKey }, authenticate)
  const streams = createStreams({
    findRefusal: authenticate.findRefusal,
    hold: (subject, limit) => settings.limiter.hold(subject, limit),
    log,
    observeCount: (count) => metrics.observeStreams(count),
  })
  const openCallerStreams = createCallerStreams({ keys: settings.store.keys, streams, limitKey, readHealth })
  const createContext = createContexts({ ...settings, quotes: createQuotes(settings) })
  const edgeSettings = { ...settings, admit, createContext, openCallerStreams }
  const serveRest = createRestEdge(edgeSettings)
  const serveStream = createStreamEdge(edgeSettings)
  const edges = {
    rest: (exchange: HttpExchange) => (exchange.path === streamPath ? serveStream(exchange) : serveRest(exchange)),
    trpc: createTrpcEdge(edgeSettings),
  }
  const requests = createRequestLimiter(settings)
  const serveRoutes = createHttpEndpoints(settings, { ...edges, ...authenticate, readHealth })

  async function serveCall(exchange: HttpExchange): Promise<HttpResult> {
    try {
      return await (exchange.path.startsWith('/trpc/') ? edges.trpc(exchange) : edges.rest(exchange))
    } catch (error) {
      return { response: respondWithError(exchange, toErrorBody(error)), error }
    }
  }
  async function serveRequest(request: Request, exchange: HttpExchange): Promise<HttpResult<HttpReply | Response>> {
    // Only browsers send an origin, and only they need CORS headers.
    const isBrowser = request.method === 'OPTIONS' || request.headers.has('origin')
    if (!isBrowser && isCall(exchange)) return await serveCall(exchange)
    return await serveRoutes(request, exchange).catch((error: unknown) => {
      return { response: toResponse(respondWithError(exchange, toErrorBody(error))), error }
    })
  }
  /** Serves a request, unless its address has too many in progress, and records it. */
  async function serveWithinLimit<Sent extends HttpReply | Response>(
    exchange: HttpExchange,
    serve: () => Promise<HttpResult<Sent>>,
  ): Promise<HttpResult<Sent | HttpReply>> {
    const { method } = exchange.request
    const subject = requests.begin(exchange)
    try {
      const result = subject === undefined ? refuse(exchange, requests.error) : await serve()
      record(exchange, result, { method, path: exchange.path })
      return result
    } finally {
      if (subject !== undefined) requests.end(subject)
    }
  }
  function record(
    { requestId, receivedAtMs }: HttpExchange,
    { response: { status }, operation, keyId, error }: HttpResult<HttpReply | Response>,
    { method, path }: Pick<UnreadRequest, 'method' | 'path'>,
  ): void {
    const ms = Math.round((performance.now() - receivedAtMs) * 1000) / 1000
    metrics.observe({ operation: operation ?? 'other', status, ms })
    const fields = { requestId, keyId, operation, method, path, status, ms }
    if (status >= 500 && error !== undefined) log.error({ ...fields, err: error }, 'failed')
    else log.info(fields, 'answered')
  }
  function closeIfDraining(response: Response): Response {
    if (isDraining()) response.headers.set('connection', 'close')
    return response
  }
  return {
    readHealth,
    endStreams: streams.end,
    stopStreams: streams.stop,
    async fetch(request, address) {
      const exchange = createExchange(request, address, performance.now())
      const isHead = request.method === 'HEAD'
      const get = isHead ? toGetRequest(request, exchange) : request
      const served = isHead ? { ...exchange, request: get } : exchange
      const result = await serveWithinLimit(exchange, () => serveRequest(get, served))
      return closeIfDraining(isHead ? await toHeadResponse(result) : toResponse(result.response))
    },
    async answer(request, address) {
      const exchange = createExchange(request, address, performance.now())
      const { response: reply } = await serveWithinLimit(exchange, () => serveCall(exchange))
      return isDraining() ? { ...reply, headers: { ...reply.headers, connection: 'close' } } : reply
    },
    async refuse(error, unread) {
      const exchange = createUnreadExchange(unread, performance.now())
      const result = refuse(exchange, error)
      record(exchange, result, unread)
      return closeIfDraining(toResponse(result.response))
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
   * Returns the reply to a call of the API, as `fetch` does, for a server that creates no `Request` and no `Response` for it.
   *
   * @param request below `/api/v1/` or `/trpc/`, by another method than HEAD and OPTIONS, and without the header `Origin`
   * @param address the remote address of its connection
   */
  answer(request: HttpRequest, address: string): Promise<HttpReply>
  /**
   * Returns the response to a request that could not be read, in the error shape of its path. It is logged and counted like
   * any other.
   */
  refuse(error: ServiceError, request: UnreadRequest): Promise<Response>
  /** Returns the body of `/health`, from memory. */
  readHealth(): Health
  /** Ends the open streams, each with a `reconnect` event for its client. */
  endStreams(): void
  /** Ends the open streams, and streams that are opened afterwards. */
  stopStreams(): void
}

/** Returns the refusal of a request before it is routed: in the error shape of tRPC for its paths, else in the envelope. */
function refuse(exchange: HttpExchange, error: ServiceError): HttpResult {
  if (exchange.path.startsWith('/trpc/')) return refuseTrpc(exchange, error)
  return { response: respondWithError(exchange, toErrorBody(error)), error }
}

function isCall({ path }: HttpExchange): boolean {
  return path.startsWith('/api/v1/') || path.startsWith('/trpc/')
}

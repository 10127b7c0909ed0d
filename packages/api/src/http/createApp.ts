import { createAdmit } from '../admission/createAdmit.ts'
import { createAuthenticate } from '../admission/createAuthenticate.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { createExchange, type HttpExchange } from '../exchange/HttpExchange.ts'
import { toHealth, type Health } from '../health/toHealth.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { createHttpRoutes } from './createHttpRoutes.ts'
import { createRestEdge } from './createRestEdge.ts'
import { createTrpcEdge } from './createTrpcEdge.ts'
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
  const startedAtMs = now()
  const readHealth = () => toHealth(settings, { nowMs: now(), startedAtMs })
  const authenticate = createAuthenticate(settings)
  const admit = createAdmit(settings, authenticate)
  const edges = {
    rest: createRestEdge({ ...settings, admit }),
    trpc: createTrpcEdge({ ...settings, admit }),
  }
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
  return {
    readHealth,
    async fetch(request, address) {
      const exchange = createExchange(request, address, performance.now())
      const { response, operation, keyId, error } = await serve(exchange)
      const { requestId, path, receivedAtMs } = exchange
      const { status } = response
      if (isDraining()) response.headers.set('connection', 'close')
      const ms = Math.round((performance.now() - receivedAtMs) * 1000) / 1000
      metrics.observe({ operation: operation ?? 'other', status, ms })
      const fields = { requestId, keyId, operation, method: request.method, path, status, ms }
      if (status >= 500 && error !== undefined) log.error({ ...fields, err: error }, 'failed')
      else log.info(fields, 'answered')
      return response
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
  /** Returns the body of `/health`, from memory. */
  readHealth(): Health
}

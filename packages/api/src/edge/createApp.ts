import type { Operator, Scope, ServiceError } from '@agio/core'
import { createAccessCheck } from '../admission/createAccessCheck.ts'
import { createAdmit } from '../admission/createAdmit.ts'
import { createAuthenticate, type Authenticate } from '../admission/createAuthenticate.ts'
import { createKeyLimiter } from '../admission/createKeyLimiter.ts'
import { createNodeBudgets, type NodeBudgets } from '../admission/createNodeBudgets.ts'
import { createNodeSlots } from '../admission/createNodeSlots.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { toHealth, type Health } from '../health/toHealth.ts'
import {
  createExchange,
  toGetRequest,
  type ClientConnection,
  type HttpExchange,
  type HttpRequest,
  type UnreadRequest,
} from '../http/HttpExchange.ts'
import { toHeadResponse, toResponse, type HttpReply, type HttpResult } from '../http/HttpReply.ts'
import { respondWithError } from '../http/respond.ts'
import { createQuotes } from '../quote/createQuotes.ts'
import { toScopedOperation } from '../mcp/mcpOperations.ts'
import { listProcedures } from '../procedure/listProcedures.ts'
import { appRouter, publicRouter, type ServedRouter } from '../router/appRouter.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { Streams } from '../stream/Streams.ts'
import { createCallerStreams, createContexts } from './createContexts.ts'
import { createHttpEndpoints } from './createHttpEndpoints.ts'
import { createRequestRecorder } from './createRequestRecorder.ts'
import { createRestEdge } from './createRestEdge.ts'
import { createStreamEdge, streamOperation, streamPath } from './createStreamEdge.ts'
import { createTrpcEdge } from './createTrpcEdge.ts'
import { trpcEndpoint } from './procedureNames.ts'

/**
 * Creates the service as one web-standard handler: REST, tRPC, documentation and health, with a log line per response.
 *
 * @example
 * const { fetch } = createApp(settings)
 * const response = await fetch(new Request('http://localhost/health'), '127.0.0.1')
 */
export function createApp(settings: AppSettings): App {
  const { isDraining, tracing } = settings
  const { getHealth, nodeBudgets, streams, createPort } = createEdges(settings)
  const recorder = createRequestRecorder({ ...settings, nodeBudgets })
  function closeIfDraining(response: Response): Response {
    if (isDraining()) response.headers.set('connection', 'close')
    return response
  }
  const open = (request: HttpRequest, from: Pick<HttpExchange, 'address' | 'connection'>) =>
    createExchange(request, tracing ? { ...from, trace: tracing.begin(request.headers) } : from, performance.now())
  function toHandlers(router: ServedRouter): AppHandlers {
    const { serveCall, serveRequest } = createPort(router)
    return {
      async fetch(request, address, connection) {
        const exchange = open(request, { address, connection })
        const isHead = request.method === 'HEAD'
        const get = isHead ? toGetRequest(request, exchange) : request
        const served = isHead ? { ...exchange, request: get } : exchange
        const result = await recorder.serve(exchange, () => serveRequest(get, served))
        if (connection) connection.isStreaming = result.isStream === true
        return closeIfDraining(isHead ? await toHeadResponse(result) : toResponse(result.response))
      },
      async answer(request, address, connection) {
        const exchange = open(request, { address, connection })
        const { response: reply, isStream = false } = await recorder.serve(exchange, () => serveCall(exchange))
        if (connection) connection.isStreaming = isStream
        return isDraining() ? { ...reply, headers: { ...reply.headers, connection: 'close' } } : reply
      },
    }
  }
  const operators = toHandlers(appRouter)
  return {
    getHealth,
    chargePoll: (key, count) => nodeBudgets.chargePoll(key, webhookPollOperation, count),
    endStreams: (reason) => streams.end(reason),
    stopStreams: () => streams.stop(),
    ...(settings.areOperatorsSeparate ? toHandlers(publicRouter) : operators),
    operators,
    async refuse(error, request) {
      return closeIfDraining(toResponse(recorder.refuse(error, request).response))
    },
  }
}

/** What handles the requests of a port. */
export type AppHandlers = {
  /**
   * Returns the response to a request.
   *
   * @param address the remote address of its connection
   * @param connection is updated, if the server limits its connections
   */
  fetch(request: Request, address: string, connection?: ClientConnection): Promise<Response>
  /**
   * Returns the reply to an API call, like `fetch`, for a server that creates no `Request` and no `Response`.
   *
   * @param request a request below `/api/v1/` or `/trpc/`, without the header `Origin`. Its method is not HEAD or OPTIONS
   * @param address the remote address of its connection
   */
  answer(request: HttpRequest, address: string, connection?: ClientConnection): Promise<HttpReply>
}

/** The API as functions of requests, without a server. */
export type App = AppHandlers & {
  /** The functions for the port of operators, which serves everything. */
  readonly operators: AppHandlers
  /**
   * Returns the response to a request that could not be read, in the error shape of its path. Logs and counts the request
   * like any other.
   */
  refuse(error: ServiceError, request: UnreadRequest): Promise<Response>
  /** Returns the body of `/health`, from memory. */
  getHealth(): Health
  /**
   * Charges a key for a poll of a transaction for its webhooks.
   *
   * @param count the node requests. Default: those of a poll
   * @throws `svc/rate-limited` if its budget for polls is used up
   */
  chargePoll(key: Parameters<NodeBudgets['chargePoll']>[0], count?: number): Promise<void>
  /** Ends the open streams. Each stream sends a last `reconnect` event. */
  endStreams(reason?: 'stopping' | 'restored'): void
  /** Ends the open streams, and each later stream when it opens. */
  stopStreams(): void
}

// Metrics count the polls of transactions for webhooks as this operation.
const webhookPollOperation = 'webhooks.look'

/** Creates the edges of REST, tRPC and streams, with everything that they share. */
function createEdges(settings: AppSettings) {
  const { log, limiter, metrics, now = Date.now } = settings
  const startedAtMs = performance.now()
  const getHealth = () => {
    const monotonicMs = performance.now()
    return toHealth(settings, { nowMs: now(), monotonicMs, uptimeMs: monotonicMs - startedAtMs })
  }
  const authenticate = createAuthenticate(settings)
  const limitKey = createKeyLimiter(settings)
  const nodeBudgets = createNodeBudgets(settings)
  const access = createAccessCheck({ ...settings, findScope })
  const admit = createAdmit({ ...settings, limitKey, findRole, access }, authenticate)
  const streams = new Streams({
    monotonicMs: settings.monotonicMs,
    checkSecret: authenticate.check,
    hold: (subject, limit) => limiter.hold(subject, limit),
    maxStreams: settings.maxStreams,
    log,
    observeCount: (count) => metrics.observeStreams(count),
    observeEnd: (reason) => metrics.observeStreamEnd(reason),
    observeRefusal: (limit) => metrics.observeRefusal(limit),
  })
  const openCallerStreams = createCallerStreams({
    keys: settings.store.keys,
    streams,
    limitKey,
    nodeBudgets,
    findRefusal: (exchange, key) => access.findRefusal(exchange, key, [streamOperation]),
    getHealth,
  })
  const createContext = createContexts({
    ...settings,
    quotes: createQuotes(settings),
    nodeBudgets,
    nodeSlots: createNodeSlots({ ...nodeBudgets, observeRefusal: metrics.observeRefusal }),
  })
  const dependencies = { ...settings, admit, createContext, openCallerStreams }
  const mcp =
    settings.mcp === 'off' ? undefined : { ...authenticate, admit, access, limitKey, createContext, findScope }
  const port = { settings, authenticate, getHealth, dependencies, mcp }
  return { getHealth, nodeBudgets, streams, createPort: (router: ServedRouter) => createPortEdges(router, port) }
}

type PortDependencies = {
  readonly settings: AppSettings
  readonly authenticate: Authenticate
  readonly getHealth: () => Health
  readonly dependencies: Omit<createRestEdge.Dependencies & createTrpcEdge.Dependencies, 'router'>
  readonly mcp: createHttpEndpoints.Dependencies['mcp']
}

/** Creates the edges of one port, which serves the procedures of a router. */
function createPortEdges(
  router: ServedRouter,
  { settings, authenticate, getHealth, dependencies, mcp }: PortDependencies,
) {
  const serveRest = createRestEdge({ ...dependencies, router })
  const serveStream = createStreamEdge(dependencies)
  const trpc = createTrpcEdge({ ...dependencies, router })
  const rest = (exchange: HttpExchange) => (exchange.path === streamPath ? serveStream(exchange) : serveRest(exchange))
  const serveEndpoints = createHttpEndpoints(settings, { rest, trpc, ...authenticate, getHealth, router, mcp })

  async function serveCall(exchange: HttpExchange): Promise<HttpResult> {
    try {
      return await (exchange.path.startsWith(trpcEndpoint) ? trpc(exchange) : rest(exchange))
    } catch (error) {
      return { response: respondWithError(exchange, toErrorBody(error)), error }
    }
  }
  async function serveRequest(request: Request, exchange: HttpExchange): Promise<HttpResult<HttpReply | Response>> {
    // Only browsers send an origin, and only they need CORS headers.
    const isBrowser = request.method === 'OPTIONS' || request.headers.has('origin')
    if (!isBrowser && isCall(exchange)) return await serveCall(exchange)
    return await serveEndpoints(request, exchange).catch((error: unknown) => {
      return { response: toResponse(respondWithError(exchange, toErrorBody(error))), error }
    })
  }
  return { serveCall, serveRequest }
}

const declared = listProcedures(appRouter)

/** Returns the declared role of an admin operation; undefined for other and for unknown operations. */
function findRole(operation: string): Operator.Role | undefined {
  return declared.get(operation)?.meta.role
}

/** Returns the declared scope of an operation; undefined if it needs none, such as a path that does not exist. */
function findScope(operation: string): Scope.Scope | undefined {
  const scope = declared.get(toScopedOperation(operation))?.meta.scope
  return scope === 'none' ? undefined : scope
}

function isCall({ path }: HttpExchange): boolean {
  return path.startsWith('/api/v1/') || path.startsWith(trpcEndpoint)
}

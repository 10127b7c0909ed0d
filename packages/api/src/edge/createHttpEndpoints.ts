import { Errors } from '@agio/core'
import { Hono } from 'hono'
import type { Authenticate } from '../admission/createAuthenticate.ts'
import { consoleEndpoints } from '../console/consoleEndpoints.ts'
import { docsEndpoints } from '../docs/docsEndpoints.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { type HttpExchange, decodePath } from '../http/HttpExchange.ts'
import { addCommonHeaders } from '../http/responseHeaders.ts'
import { assertRole } from '../procedure/procedure.ts'
import { healthEndpoints } from '../health/healthEndpoints.ts'
import { appRouter, type ServedRouter } from '../router/appRouter.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { formatAllow } from './allowedMethods.ts'
import type { createMcpEdge, McpEdge } from '../mcp/createMcpEdge.ts'
import { mcpPath } from '../mcp/mcpOperations.ts'
import { createCors, createMethodFinder } from './createCors.ts'
import { toResponse, type HttpReply, type HttpResult } from '../http/HttpReply.ts'
import { respondWithError, respond } from '../http/respond.ts'
import type { LocalEndpoint, LocalHandler } from '../settings/LocalHandler.ts'
import { assertJsonMediaType, parseJsonObject, readBody } from '../http/readBody.ts'

/** Creates the endpoints of health, metrics and documentation, and of the whole API with CORS for browsers. */
export function createHttpEndpoints(
  settings: AppSettings,
  dependencies: createHttpEndpoints.Dependencies,
): HttpEndpoints {
  const { store } = settings
  const { rest, trpc, authenticateAdmin, router } = dependencies
  const local = router === appRouter ? settings.local : undefined
  const endpoints = new Hono<{ Bindings: Bindings }>()
  const pages = createPages(settings, dependencies)
  const isPage = createPageMatcher(pages.routes.filter(({ method }) => method === 'GET').map(({ path }) => path))

  endpoints.use(async (c, next) => {
    await next()
    addCommonHeaders(c.res.headers, c.env.exchange.requestId)
  })
  // A preflight carries no key.
  const isOriginAllowed = (origin: string) => settings.isOriginAllowed(origin) || store.keys.hasOrigin(origin)
  endpoints.use(createCors(isOriginAllowed, createMethodFinder(isPage, local, router)))
  endpoints.route('/', pages)
  endpoints.all('*', async (c, next) => {
    if (!isPage(c.req.path) || c.req.method === 'GET') return await next()
    const allow = formatAllow(['GET'])
    const error = toErrorBody(Errors.methodNotAllowed({ path: c.req.path, method: c.req.method, allow }))
    return toResponse(respondWithError(c.env.exchange, error, { allow }))
  })
  endpoints.all('/api/v1/*', async (c) => c.env.record(await rest(c.env.exchange)))
  endpoints.all('/trpc/*', async (c) => c.env.record(await trpc(c.env.exchange)))
  if (dependencies.mcp) {
    const serveMcp = loadMcpEdge({ ...settings, ...dependencies.mcp, local, isOriginAllowed, router })
    endpoints.all(mcpPath, async (c) => c.env.record(await serveMcp(c.env.exchange)))
  }
  if (local) {
    const serveLocal = createLocalEdge({ ...settings, local, authenticateAdmin })
    endpoints.all('/local/*', async (c) => toResponse(await serveLocal(c.env.exchange)))
  }
  endpoints.notFound((c) => toResponse(respondWithError(c.env.exchange, toErrorBody(Errors.pathNotFound(c.req.path)))))
  endpoints.onError((error, c) =>
    c.env.record({ response: respondWithError(c.env.exchange, toErrorBody(error)), error }),
  )
  return async (request, exchange) => {
    let recorded: Partial<HttpResult<HttpReply | Response>> = {}
    const record = (result: HttpResult<HttpReply | Response>) => {
      recorded = result
      return toResponse(result.response)
    }
    const response = await endpoints.fetch(request, { exchange, record })
    // CORS may have replaced the recorded response.
    return { ...recorded, response }
  }
}

export declare namespace createHttpEndpoints {
  type Dependencies = Readonly<Record<'rest' | 'trpc', Edge>> &
    Pick<Authenticate, 'authenticateAdmin'> &
    Pick<healthEndpoints.Dependencies, 'getHealth'> & {
      readonly router: ServedRouter
      /** What the server for agents needs; undefined without one. */
      readonly mcp?: McpDependencies | undefined
    }
}

type McpDependencies = Omit<
  createMcpEdge.Dependencies,
  'chains' | 'clientTimeoutMs' | 'docs' | 'local' | 'publicUrl' | 'isOriginAllowed' | 'router'
>

/** Returns the server for agents, which is loaded with its library at the first request. */
function loadMcpEdge(options: createMcpEdge.Dependencies): McpEdge {
  let loading: Promise<McpEdge> | undefined
  return async (exchange) => {
    loading ??= import('../mcp/createMcpEdge.ts').then((loaded) => loaded.createMcpEdge(options))
    return await (
      await loading
    )(exchange)
  }
}

/** Creates the endpoints outside of the API. */
function createPages(
  settings: AppSettings,
  { authenticateAdmin, getHealth, router }: createHttpEndpoints.Dependencies,
) {
  const { metrics, isDraining, console, downloads = {} } = settings
  const pages = new Hono<{ Bindings: Bindings }>()
  pages.route('/', healthEndpoints({ getHealth, isDraining }))
  if (router === appRouter) {
    pages.get('/metrics', async (c) => {
      assertRole(await authenticateAdmin(c.env.exchange), 'read')
      return c.body(await metrics.render(), 200, { 'content-type': metrics.mediaType })
    })
  }
  for (const [path, read] of Object.entries(downloads)) {
    const type = path.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'application/octet-stream'
    const headers = { 'content-type': type, 'cache-control': 'no-cache' }
    pages.get(path, async (c) => c.body(new Uint8Array(await read()), 200, headers))
  }
  if (console) pages.route('/', consoleEndpoints({ ...settings, console }))
  return pages.route('/', docsEndpoints(settings))
}

/** Creates a function that returns whether a path matches a pattern. The pattern `/a/*` matches `/a` and all paths below it. */
function createPageMatcher(patterns: readonly string[]): (path: string) => boolean {
  const exact = new Set(patterns.map((pattern) => pattern.replace(/\/\*$/, '')))
  const folders = patterns.filter((pattern) => pattern.endsWith('/*')).map((pattern) => pattern.slice(0, -1))
  return (path) => exact.has(path) || folders.some((folder) => path.startsWith(folder))
}

type Edge = (exchange: HttpExchange) => Promise<HttpResult>

/** Returns the result of a request. `exchange` is the same request in the form that the edges read. */
type HttpEndpoints = (request: Request, exchange: HttpExchange) => Promise<HttpResult<Response>>

type Bindings = {
  readonly exchange: HttpExchange
  /** Keeps a result for the log, and returns its response. */
  readonly record: (result: HttpResult<HttpReply | Response>) => Response
}

/** Creates the handler of `/local/`, which requires the admin key and responds in the envelope. @throws `ServiceError` */
function createLocalEdge({ local, clientTimeoutMs, authenticateAdmin }: Dependencies) {
  return async (exchange: HttpExchange): Promise<HttpReply> => {
    await authenticateAdmin(exchange)
    const path = decodePath(exchange.path)
    const endpoint = local(path)
    if (!endpoint) throw Errors.pathNotFound(path)
    const { method } = exchange.request
    const run = Object.hasOwn(endpoint, method) ? endpoint[method as keyof LocalEndpoint] : undefined
    if (!run) return refuseMethod(exchange, formatAllow(Object.keys(endpoint)))
    const data = await run(method === 'POST' ? await readFields(exchange, clientTimeoutMs) : {})
    return respond(exchange, { body: JSON.stringify({ success: true, data }) })
  }
}

type Dependencies = { readonly local: LocalHandler } & Pick<AppSettings, 'clientTimeoutMs'> &
  Pick<Authenticate, 'authenticateAdmin'>

/** Reads the fields of a body; an empty body has none. */
async function readFields(
  { request, query }: HttpExchange,
  timeoutMs: number,
): Promise<Readonly<Record<string, unknown>>> {
  const [field] = new URLSearchParams(query).keys()
  if (field !== undefined) {
    throw Errors.invalidRequest({ field, reason: 'unknown query parameter' })
  }
  const text = await readBody(request, timeoutMs)
  if (text === '') return {}
  assertJsonMediaType(request.headers)
  return parseJsonObject(text)
}

function refuseMethod(exchange: HttpExchange, allow: string): HttpReply {
  const error = Errors.methodNotAllowed({ path: exchange.path, method: exchange.request.method, allow })
  return respondWithError(exchange, toErrorBody(error), { allow })
}

import { Errors } from '@agio/core'
import { Hono } from 'hono'
import type { Authenticate } from '../admission/createAuthenticate.ts'
import { consoleRoutes } from '../console/consoleRoutes.ts'
import { docsRoutes } from '../docs/docsRoutes.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'
import type { HttpExchange } from '../exchange/HttpExchange.ts'
import { addCommonHeaders } from '../exchange/responseHeaders.ts'
import { healthRoutes } from '../health/healthRoutes.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { formatAllow } from './allowedMethods.ts'
import { createLocalEdge } from './createLocalEdge.ts'
import { createCors } from './createCors.ts'
import { createMethodFinder } from './createMethodFinder.ts'
import { toResponse } from './HttpReply.ts'
import type { HttpResult } from './HttpResult.ts'
import { respondWithError } from './respond.ts'

/** Creates the routes of health, metrics and documentation, and of the whole API with CORS for browsers. */
export function createHttpRoutes(settings: AppSettings, parts: createHttpRoutes.Parts): Routes {
  const { local } = settings
  const { rest, trpc, authenticateAdmin } = parts
  const routes = new Hono<{ Bindings: Bindings }>()
  const pages = createPages(settings, parts)
  const isPage = createPageMatcher(pages.routes.filter(({ method }) => method === 'GET').map(({ path }) => path))

  routes.use(async (c, next) => {
    await next()
    addCommonHeaders(c.res.headers, c.env.exchange.requestId)
  })
  routes.use(createCors(settings.isOriginAllowed, createMethodFinder(isPage, local)))
  routes.route('/', pages)
  routes.all('*', async (c, next) => {
    if (!isPage(c.req.path) || c.req.method === 'GET') return await next()
    const allow = formatAllow(['GET'])
    const error = toErrorBody(Errors.methodNotAllowed({ path: c.req.path, method: c.req.method, allow }))
    return toResponse(respondWithError(c.env.exchange, error, { allow }))
  })
  routes.all('/api/v1/*', async (c) => c.env.record(await rest(c.env.exchange)))
  routes.all('/trpc/*', async (c) => c.env.record(await trpc(c.env.exchange)))
  if (local) {
    const serveLocal = createLocalEdge({ ...settings, local, authenticateAdmin })
    routes.all('/local/*', async (c) => toResponse(await serveLocal(c.env.exchange)))
  }
  routes.notFound((c) => toResponse(respondWithError(c.env.exchange, toErrorBody(Errors.pathNotFound(c.req.path)))))
  routes.onError((error, c) => c.env.record({ response: respondWithError(c.env.exchange, toErrorBody(error)), error }))
  return async (request, exchange) => {
    let recorded: Partial<HttpResult> = {}
    const record = (result: HttpResult) => {
      recorded = result
      return toResponse(result.response)
    }
    const response = await routes.fetch(request, { exchange, record })
    // CORS may have replaced the recorded response.
    return { ...recorded, response }
  }
}

export declare namespace createHttpRoutes {
  type Parts = Readonly<Record<'rest' | 'trpc', Edge>> &
    Pick<Authenticate, 'authenticateAdmin'> &
    Pick<healthRoutes.Parts, 'readHealth'>
}

/** Creates the routes outside of the API. */
function createPages(settings: AppSettings, { authenticateAdmin, readHealth }: createHttpRoutes.Parts) {
  const { metrics, isDraining, console } = settings
  const pages = new Hono<{ Bindings: Bindings }>()
  pages.route('/', healthRoutes({ readHealth, isDraining }))
  pages.get('/metrics', async (c) => {
    await authenticateAdmin(c.env.exchange)
    return c.body(await metrics.render(), 200, { 'content-type': metrics.mediaType })
  })
  if (console) pages.route('/', consoleRoutes({ ...settings, console }))
  return pages.route('/', docsRoutes(settings))
}

/** Creates the check whether a path is one of these paths, or at or below a path that ends with `/*`. */
function createPageMatcher(patterns: readonly string[]): (path: string) => boolean {
  const exact = new Set(patterns.map((pattern) => pattern.replace(/\/\*$/, '')))
  const folders = patterns.filter((pattern) => pattern.endsWith('/*')).map((pattern) => pattern.slice(0, -1))
  return (path) => exact.has(path) || folders.some((folder) => path.startsWith(folder))
}

type Edge = (exchange: HttpExchange) => Promise<HttpResult>

/** Returns the response to a request, whose exchange is for the log. */
type Routes = (request: Request, exchange: HttpExchange) => Promise<HttpResult<Response>>

type Bindings = {
  readonly exchange: HttpExchange
  /** Keeps a result for the log, and returns its response. */
  readonly record: (result: HttpResult) => Response
}

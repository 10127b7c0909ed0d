import type { Context, MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { type HttpExchange, decodePath } from '../http/HttpExchange.ts'
import { exposedHeaders } from '../http/responseHeaders.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { idempotencyHeader } from '../procedure/idempotent.ts'
import { formatAllow, listAllowedMethods, listProcedureMethods } from './allowedMethods.ts'
import { createEndpointMatcher } from '../router/restEndpoints.ts'
import type { ServedRouter } from '../router/appRouter.ts'
import type { LocalHandler } from '../settings/LocalHandler.ts'
import { streamPath } from './createStreamEdge.ts'
import { mcpPath } from '../mcp/mcpOperations.ts'
import { parseProcedureNames, trpcEndpoint } from './procedureNames.ts'

/**
 * Creates the middleware that answers `OPTIONS` on every path and writes the CORS headers of all other responses.
 *
 * The answer to `OPTIONS` lists the methods of the path. For a path that does not exist, it lists no methods and still has the
 * status 204. So a browser sends the actual request, and the page can read the 404.
 *
 * @param findMethods returns the methods that the path of a request defines
 */
export function createCors(
  isOriginAllowed: AppSettings['isOriginAllowed'],
  findMethods: FindMethods,
): MiddlewareHandler<{ Bindings: Bindings }> {
  const handle = cors({
    origin: (origin) => (isOriginAllowed(origin) ? origin : null),
    allowMethods: (_, { env }: BoundContext) => [...listAllowedMethods(findMethods(env.exchange))],
    allowHeaders: [
      'Content-Type',
      'X-API-Key',
      'Authorization',
      'X-Admin-Key',
      'X-Request-Id',
      'Last-Event-ID',
      idempotencyHeader,
      'trpc-accept',
      'traceparent',
      'tracestate',
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
    ],
    exposeHeaders: [...exposedHeaders],
    maxAge: 600,
  })
  return async (c, next) => {
    const methods = c.req.method === 'OPTIONS' ? findMethods(c.env.exchange) : []
    if (methods.length > 0) c.header('allow', formatAllow(methods))
    return await handle(c, next)
  }
}

/** Returns the methods that the path of a request defines. */
type FindMethods = (exchange: Pick<HttpExchange, 'path' | 'query'>) => readonly string[]

type Bindings = { readonly exchange: HttpExchange }

type BoundContext = Context<{ Bindings: Bindings }>

/**
 * Creates the look-up of the methods that a path defines, for answers to `OPTIONS`.
 *
 * @param isPage whether a path is outside of the API. Such paths all define `GET`
 * @param local the handler of `/local/`, if the service has one
 * @param router the procedures that are served
 * @returns a function that returns the methods, without `HEAD` and `OPTIONS`; an empty list for a path that does not exist
 */
export function createMethodFinder(
  isPage: (path: string) => boolean,
  local: LocalHandler | undefined,
  router: ServedRouter,
): FindMethods {
  const matchEndpoint = createEndpointMatcher(router)
  return ({ path, query }) => {
    if (isPage(path) || path === streamPath) return ['GET']
    if (path === mcpPath) return ['POST']
    if (path.startsWith(trpcEndpoint)) return listProcedureMethods(router, parseProcedureNames({ path, query }))
    if (path.startsWith('/local/')) return Object.keys(local?.(decodePath(path)) ?? {})
    // No endpoint has the method `OPTIONS`, so the match lists the methods of the path.
    const match = matchEndpoint('OPTIONS', path)
    return match && 'allow' in match ? match.allow : []
  }
}

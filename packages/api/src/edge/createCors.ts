import type { Context, MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { HttpExchange } from '../http/HttpExchange.ts'
import { exposedHeaders } from '../http/responseHeaders.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { formatAllow, listAllowedMethods } from './allowedMethods.ts'

/**
 * Creates the middleware that answers `OPTIONS` on every path and writes the CORS headers of all other responses.
 *
 * The answer names the methods of the path. For a path that does not exist it names none, but is a 204 as well: a browser
 * then sends the request itself, and the page can read the 404.
 *
 * @param findMethods returns the methods that a path defines
 */
export function createCors(
  isOriginAllowed: AppSettings['isOriginAllowed'],
  findMethods: (path: string) => readonly string[],
): MiddlewareHandler<{ Bindings: Bindings }> {
  const handle = cors({
    origin: (origin) => (isOriginAllowed(origin) ? origin : null),
    allowMethods: (_, { env }: BoundContext) => [...listAllowedMethods(findMethods(env.exchange.path))],
    allowHeaders: ['Content-Type', 'X-API-Key', 'X-Admin-Key', 'X-Request-Id', 'Last-Event-ID', 'trpc-accept'],
    exposeHeaders: [...exposedHeaders],
    maxAge: 600,
  })
  return async (c, next) => {
    const methods = c.req.method === 'OPTIONS' ? findMethods(c.env.exchange.path) : []
    if (methods.length > 0) c.header('allow', formatAllow(methods))
    return await handle(c, next)
  }
}

type Bindings = { readonly exchange: HttpExchange }

type BoundContext = Context<{ Bindings: Bindings }>

import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { Authenticate } from '../admission/createAuthenticate.ts'
import { docsRoutes } from '../docs/docsRoutes.ts'
import { nothingAt, wrongMethod } from '../failure/misdirected.ts'
import { toFailure } from '../failure/toFailure.ts'
import { toHealth } from '../health/toHealth.ts'
import { createLocalEdge } from './createLocalEdge.ts'
import { sendFailure } from './sendFailure.ts'
import type { Settings } from '../Settings.ts'
import type { Visit } from '../visit/Visit.ts'

const documentPaths = new Set(['/health', '/metrics', '/openapi.json', '/docs', '/docs/errors', '/docs/reference.js'])

/** Serves health, metrics and documents, and answers pages of other origins: the whole API with CORS. */
export function createPages(settings: Settings, parts: createPages.Parts): Hono<{ Bindings: Visit }> {
  const { metrics, local, now = Date.now } = settings
  const { rest, trpc, authenticateAdmin } = parts
  const startedAtMs = now()
  const pages = new Hono<{ Bindings: Visit }>()

  pages.use(async (c, next) => {
    await next()
    c.res.headers.set('x-request-id', c.env.requestId)
  })
  pages.use(
    cors({
      origin: (origin) => (settings.isOriginAllowed(origin) ? origin : null),
      allowHeaders: ['Content-Type', 'X-API-Key', 'X-Admin-Key', 'X-Request-Id'],
      exposeHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
      maxAge: 600,
    }),
  )
  pages.get('/health', (c) => {
    const health = toHealth(settings, { nowMs: now(), startedAtMs })
    return health.status === 'down' ? c.json(health, 503, { 'Retry-After': '1' }) : c.json(health)
  })
  pages.get('/metrics', async (c) => {
    await authenticateAdmin(c.env)
    return c.body(await metrics.render(), 200, { 'content-type': metrics.mediaType })
  })
  pages.route('/', docsRoutes(settings))
  pages.all('/api/v1/*', (c) => rest(c.env))
  pages.all('/trpc/*', (c) => trpc(c.env))
  if (local) {
    const answerLocal = createLocalEdge({ local, authenticateAdmin })
    pages.all('/local/*', (c) => answerLocal(c.env))
  }
  pages.all('*', async (c, next) => {
    if (!documentPaths.has(c.req.path) || c.req.method === 'GET') return await next()
    return sendFailure(c.env, toFailure(wrongMethod(c.req.path, c.req.method, 'GET')), { allow: 'GET' })
  })
  pages.notFound((c) => sendFailure(c.env, toFailure(nothingAt(c.req.path))))
  pages.onError((error, c) => {
    c.env.cause = error
    return sendFailure(c.env, toFailure(error))
  })
  return pages
}

export declare namespace createPages {
  type Parts = Readonly<Record<'rest' | 'trpc', (visit: Visit) => Promise<Response>>> &
    Pick<Authenticate, 'authenticateAdmin'>
}

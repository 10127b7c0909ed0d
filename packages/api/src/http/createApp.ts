import { ServiceError } from '@agio/core'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { createAdmit } from '../admission/createAdmit.ts'
import { createAuthenticate } from '../admission/createAuthenticate.ts'
import { docsRoutes } from '../docs/docsRoutes.ts'
import { toFailure } from '../failure/toFailure.ts'
import { toHealth } from '../health/toHealth.ts'
import { createRestEdge } from './createRestEdge.ts'
import { createTrpcEdge } from './createTrpcEdge.ts'
import type { Env } from './Env.ts'
import { resolveRequestId } from './resolveRequestId.ts'
import { sendFailure } from './sendFailure.ts'
import type { Settings } from './Settings.ts'

const documentPaths = new Set(['/health', '/metrics', '/openapi.json', '/docs', '/docs/errors', '/docs/reference.js'])

/**
 * The whole service as one web-standard handler: request id, CORS, key, then REST or tRPC, documents and health.
 *
 * @example
 * const app = createApp(settings)
 * const response = await app.fetch(new Request('http://localhost/health'))
 */
export function createApp(settings: Settings): Hono<Env> {
  const { log, metrics, now = Date.now } = settings
  const admit = createAdmit(settings)
  const { authenticateAdmin } = createAuthenticate(settings)
  const startedAtMs = now()
  const app = new Hono<Env>()

  app.use(async (c, next) => {
    const receivedAtMs = now()
    const requestId = resolveRequestId(c.req.raw.headers)
    c.set('requestId', requestId)
    await next()
    c.res.headers.set('x-request-id', requestId)
    const { keyId, operation, rateLimit, cause } = c.var
    if (rateLimit) {
      c.res.headers.set('ratelimit-policy', rateLimit.policy)
      c.res.headers.set('ratelimit', rateLimit.state)
    }
    const { status } = c.res
    const ms = now() - receivedAtMs
    metrics.observe({ operation: operation ?? 'other', status, ms })
    const fields = {
      requestId,
      keyId,
      operation,
      method: c.req.method,
      path: c.req.path,
      status,
      ms,
    }
    if (status >= 500) log.error({ ...fields, err: cause }, 'failed')
    else log.info(fields, 'answered')
  })
  app.use(
    cors({
      origin: (origin) => (settings.isOriginAllowed(origin) ? origin : null),
      allowHeaders: ['Content-Type', 'X-API-Key', 'X-Request-Id'],
      exposeHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
      maxAge: 600,
    }),
  )
  app.get('/health', (c) => {
    const health = toHealth(settings, { nowMs: now(), startedAtMs })
    return health.status === 'down' ? c.json(health, 503, { 'Retry-After': '1' }) : c.json(health)
  })
  app.get('/metrics', async (c) => {
    await authenticateAdmin(c)
    return c.body(await metrics.render(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  })
  app.route('/', docsRoutes(settings))
  app.all('/api/v1/*', createRestEdge({ ...settings, admit }))
  app.all('/trpc/*', createTrpcEdge({ ...settings, admit }))
  app.all('*', async (c, next) => {
    if (!documentPaths.has(c.req.path) || c.req.method === 'GET') return await next()
    const message = `Cannot call ${c.req.path} by ${c.req.method}: it takes GET`
    const response = sendFailure(toFailure(new ServiceError('svc/method-not-allowed', message, {})), c.var.requestId)
    response.headers.set('allow', 'GET')
    return response
  })
  app.notFound((c) => {
    const error = new ServiceError('svc/not-found', `Cannot find ${c.req.path}: there is nothing at this path`, {})
    return sendFailure(toFailure(error), c.var.requestId)
  })
  app.onError((error, c) => {
    c.set('cause', error)
    return sendFailure(toFailure(error), c.var.requestId)
  })
  return app
}

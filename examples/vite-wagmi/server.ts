// Serves the built pages, and forwards their requests to the service with an API key that the pages never see.
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { csrf } from 'hono/csrf'
import process from 'node:process'

const { AGIO_URL = 'http://127.0.0.1:3000', AGIO_API_KEY = 'local-key', PORT = '8080' } = process.env
const requestsPerMinute = Number(process.env['REQUESTS_PER_MINUTE'] ?? 120)

const procedures: ReadonlySet<string> = new Set([
  'chains.list',
  'convert.quote',
  'convert.receipt',
  'market.hours',
  'oracle.prices',
  'pools.list',
  'approval.plan',
  'transaction.buildConvert',
  'transaction.buildReplace',
  'transaction.status',
  'transaction.track',
])

const counts = new Map<string, number>()
setInterval(() => counts.clear(), 60_000).unref()

const app = new Hono()
// Prevents other sites from using the key through the browsers of their visitors.
app.use('/agio/*', csrf())
app.post('/agio/trpc/:procedure', bodyLimit({ maxSize: 64 * 1024 }), async (context) => {
  const procedure = context.req.param('procedure')
  if (!procedures.has(procedure)) return context.text('Not found', 404)
  const client = toClient(getConnInfo(context).remote.address)
  const count = (counts.get(client) ?? 0) + 1
  counts.set(client, count)
  if (count > requestsPerMinute) return context.text('Too many requests', 429, { 'Retry-After': '60' })
  const response = await fetch(`${AGIO_URL}/trpc/${procedure}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': AGIO_API_KEY },
    body: await context.req.arrayBuffer(),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined)
  if (!response) return context.text('Bad gateway', 502)
  const headers = new Headers({ 'Content-Type': 'application/json' })
  const retryAfter = response.headers.get('Retry-After')
  if (retryAfter !== null) headers.set('Retry-After', retryAfter)
  return new Response(response.body, { status: response.status, headers })
})
app.use('/agio-convert.js', serveStatic({ root: 'node_modules/@agio/react/dist' }))
app.use(serveStatic({ root: 'dist' }))

/** Returns the client of an address. IPv6 addresses are grouped by their /64 network, because one client has many. */
function toClient(address = ''): string {
  return address.includes('.') ? address : address.split(':').slice(0, 4).join(':')
}

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) }, ({ port }) => {
  console.log(`ready at http://127.0.0.1:${port}`)
})

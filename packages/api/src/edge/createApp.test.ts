import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Errors } from '@agio/core'
import { expect, it, vi } from 'vitest'
import { createCommonHeaders } from '../http/responseHeaders.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { createApp } from './createApp.ts'

const logged: object[] = []
let isDraining = false

const { fetch, refuse } = createApp({
  chains: {},
  store: { state: () => 'ok', keys: { hasOrigin: () => false } },
  limiter: {
    admit: () => ({ isAdmitted: true, states: [] }),
    getWindowState: () => ({ used: 0, endsInMs: 0 }),
    state: () => 'local',
  },
  operators: [{ name: 'admin', roles: ['read'], digests: [createHash('sha256').update('admin').digest('hex')] }],
  local: () => ({ POST: async () => ({}) }),
  areQuotasEnforced: false,
  trustedProxies: 0,
  maxRequestsPerAddress: 100,
  clientTimeoutMs: 100,
  isOriginAllowed: (origin: string) => origin === 'https://shop.example',
  readOpenApi: () => readFile(new URL('../../../../openapi.json', import.meta.url)),
  docs: { listFiles: async () => [], readFile: async () => new Uint8Array(), readAsset: async () => new Uint8Array() },
  isDraining: () => isDraining,
  metrics: {
    observe: () => {},
    observeQuote: () => {},
    observeNodeRequests: () => {},
    observeStreams: () => {},
    render: async () => '',
    mediaType: 'text/plain',
  },
  log: { info: (fields: object) => logged.push(fields), error: () => {} },
} as unknown as AppSettings)

const send = (path: string, init?: RequestInit) => fetch(new Request(`http://localhost${path}`, init), '127.0.0.1')

it.each(['/', '/api/v1'])('a GET of %s lists the documentation and the operations, without a key', async (path) => {
  const response = await send(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/json')
  const index = (await response.json()) as { readonly operations: readonly object[] }
  expect(index).toMatchObject({
    name: 'Agio',
    version: '2.1.0',
    documentation: '/docs',
    reference: '/docs/api',
    openapi: '/openapi.json',
    errors: '/docs/errors',
    health: '/health',
  })
  const preview = { method: 'POST', path: '/api/v1/convert/preview', summary: 'Preview a conversion' }
  expect(index.operations).toContainEqual(preview)
  expect(index.operations.length).toBeGreaterThan(25)
})

it.each([
  '/',
  '/api/v1',
  '/health',
  '/health/live',
  '/health/ready',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs/api',
  '/docs/errors',
  '/docs/reference.js',
])('error: svc/method-not-allowed for a POST to %s', async (path) => {
  const response = await send(path, { method: 'POST' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect(await response.json()).toMatchObject({ code: 'svc/method-not-allowed' })
})

it.each([
  '/',
  '/api/v1',
  '/health',
  '/health/live',
  '/openapi.json',
  '/docs',
  '/docs/api',
  '/docs/errors',
  '/docs/none',
])('a HEAD of %s has the status and the headers of its GET, and no body', async (path) => {
  const headers = { 'x-request-id': 'same' }
  const compare = async () => {
    const [get, head] = [await send(path, { headers }), await send(path, { method: 'HEAD', headers })]
    const length = String((await get.arrayBuffer()).byteLength)
    const expected = { ...Object.fromEntries(get.headers), 'content-length': length }
    expect([head.status, Object.fromEntries(head.headers), head.body]).toEqual([get.status, expected, null])
  }
  // The uptime in two responses of /health may differ in its number of digits.
  await vi.waitFor(compare, { timeout: 20_000 })
})

it('a HEAD is logged as a HEAD', async () => {
  await send('/docs/errors', { method: 'HEAD' })
  expect(logged.at(-1)).toMatchObject({ method: 'HEAD', path: '/docs/errors', status: 200 })
})

it.each([
  ['/health', 'GET, HEAD'],
  ['/docs', 'GET, HEAD'],
  ['/docs/guide/convert', 'GET, HEAD'],
  ['/api/v1', 'GET, HEAD'],
  ['/api/v1/pools', 'GET, HEAD'],
  ['/api/v1/pools/0x00', 'GET, HEAD'],
  ['/api/v1/oracle/prices', 'GET, HEAD'],
  ['/api/v1/convert/preview', 'POST'],
  ['/api/v1/admin/keys', 'GET, HEAD, POST'],
  ['/trpc/convert.preview', 'GET, HEAD, POST'],
  ['/trpc/pools.list,convert.preview?batch=1', 'GET, HEAD, POST'],
  ['/trpc/transaction.broadcast', 'POST'],
  ['/local/any', 'POST'],
])('a preflight of %s names the methods of the path: %s', async (path, methods) => {
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'PUT' }
  const { status, headers: answered } = await send(path, { method: 'OPTIONS', headers })
  expect(status).toBe(204)
  expect(answered.get('access-control-allow-methods')).toBe(methods.replaceAll(' ', ''))
  expect(answered.get('allow')).toBe(`${methods}, OPTIONS`)
})

it.each(['/none', '/api/v1/none', '/api/v1/pools/', '/trpc/no.such'])(
  'a preflight of %s, which does not exist, names no method, so that a page can read the 404 of the request itself',
  async (path) => {
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
    const preflight = await send(path, { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect(preflight.headers.has('access-control-allow-methods')).toBe(false)
    expect(preflight.headers.has('allow')).toBe(false)
  },
)

it('error: svc/not-found for a page of the documentation that does not exist', async () => {
  const response = await send('/docs/none')
  expect([response.status, await response.json()]).toMatchObject([404, { code: 'svc/not-found' }])
})

it.each(['/docs', '/docs/api', '/openapi.json', '/docs/errors'])(
  'the index links to %s, which needs no key either',
  async (path) => {
    expect((await send(path)).status).toBe(200)
  },
)

it.each(['/', '/docs', '/health', '/none', '/api/v1/none', '/trpc/none', '/local/any'])(
  'a response to %s has the headers of all responses',
  async (path) => {
    const { headers } = await send(path, { headers: { 'x-request-id': 'mine' } })
    expect([headers.get('x-request-id'), headers.get('x-content-type-options')]).toEqual(['mine', 'nosniff'])
    expect(headers.get('cache-control')).toMatch(/^(?:no-store|public, max-age=\d+)$/)
    for (const name of Object.keys(createCommonHeaders('mine'))) expect(headers.has(name), name).toBe(true)
  },
)

it('a request with an origin is logged with its operation, like one without', async () => {
  const headers = { origin: 'https://shop.example' }
  const [plain, browser] = [await send('/api/v1/none'), await send('/api/v1/none', { headers })]
  expect(plain.status).toBe(browser.status)
  expect(browser.headers.get('access-control-allow-origin')).toBe('https://shop.example')
  expect(logged.slice(-2)).toMatchObject([{ operation: 'unknown' }, { operation: 'unknown' }])
})

it('while the process drains, each response closes its connection, readiness is 503 and liveness is 200', async () => {
  const statusOf = async (path: string) => (await send(path)).status
  const connectionOf = async (path: string) => (await send(path)).headers.get('connection')
  expect([await statusOf('/health/live'), await connectionOf('/health/live')]).toEqual([200, null])
  isDraining = true
  try {
    for (const path of ['/', '/docs', '/health/live', '/api/v1/none', '/trpc/none', '/none']) {
      expect(await connectionOf(path), path).toBe('close')
    }
    expect([await statusOf('/health/live'), await statusOf('/health/ready')]).toEqual([200, 503])
    expect(await (await send('/health/ready')).json()).toEqual({ status: 'draining' })
  } finally {
    isDraining = false
  }
})

it.each([
  ['/api/v1/pools', { success: false, code: 'svc/request-timeout' }],
  ['/trpc/pools.list', { error: { data: { code: 'svc/request-timeout', httpStatus: 408 } } }],
  [undefined, { success: false, code: 'svc/request-timeout' }],
])(
  'a request to %s that could not be read has an error in the shape of its path, and is logged',
  async (path, body) => {
    const error = Errors.requestTimeout({ part: 'request' })
    const response = await refuse(error, { address: '127.0.0.1', method: 'GET', path, requestId: 'mine' })
    expect([response.status, response.headers.get('x-request-id')]).toEqual([408, 'mine'])
    expect(await response.json()).toMatchObject(body)
    expect(logged.at(-1)).toMatchObject({ requestId: 'mine', method: 'GET', path, status: 408 })
  },
)

it('a request whose body does not arrive is refused after the time limit', async () => {
  const body = new ReadableStream()
  const init: object = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-admin-key': 'admin' },
    body,
    duplex: 'half',
  }
  const response = await send('/local/any', init)
  expect([response.status, response.headers.get('connection')]).toEqual([408, 'close'])
})

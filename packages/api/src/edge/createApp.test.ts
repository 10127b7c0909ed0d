import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Errors } from '@agio/core'
import { expect, it } from 'vitest'
import { createCommonHeaders } from '../http/responseHeaders.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { createApp } from './createApp.ts'

const openApi = new URL('../../../../openapi.json', import.meta.url)

type PostmanItem = {
  readonly name: string
  readonly request: {
    readonly url: { readonly raw: string }
    readonly body?: { readonly raw: string }
    readonly auth: { readonly apikey?: readonly { readonly value: string }[] }
  }
}

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
  publicUrl: 'https://shop.example/fx',
  isOriginAllowed: (origin: string) => origin === 'https://shop.example',
  readOpenApi: () => readFile(openApi),
  docs: { listFiles: async () => [], readFile: async () => new Uint8Array(), readAsset: async () => new Uint8Array() },
  isDraining: () => isDraining,
  metrics: {
    observe: () => {},
    observeQuote: () => {},
    observeNodeRequests: () => {},
    observeStreams: () => {},
    observeRefusal: () => {},
    render: async () => '',
    mediaType: 'text/plain',
  },
  log: { info: (fields: object) => logged.push(fields), error: () => {} },
} as unknown as AppSettings)

const send = (path: string, init?: RequestInit) => fetch(new Request(`http://localhost${path}`, init), '127.0.0.1')

it('openapi.json names the public URL as its server, and links to its documentation there', async () => {
  const document = (await (await send('/openapi.json')).json()) as { servers: object; info: { description: string } }
  expect(document.servers).toEqual([{ url: 'https://shop.example/fx' }])
  const links = [...document.info.description.matchAll(/\]\((.*?)\)/g)].map(([, link]) => link)
  expect(links.filter((link) => !link?.startsWith('https://shop.example/fx/docs'))).toEqual([])
})

it('a HEAD is logged as a HEAD', async () => {
  await send('/docs/errors', { method: 'HEAD' })
  expect(logged.at(-1)).toMatchObject({ method: 'HEAD', path: '/docs/errors', status: 200 })
})

it.each(['/', '/docs', '/health', '/none', '/api/v1/none', '/trpc/none', '/local/any'])(
  'a response to %s has the headers of all responses',
  async (path) => {
    const { headers } = await send(path, { headers: { 'x-request-id': 'mine' } })
    expect([headers.get('x-request-id'), headers.get('x-content-type-options')]).toEqual(['mine', 'nosniff'])
    expect(headers.get('cache-control')).toMatch(/^(?:no-store|public, max-age=\d+)$/)
    for (const name of Object.keys(createCommonHeaders('mine'))) expect(headers.has(name), name).toBe(true)
  },
)

it('the Postman collection has each operation once, with the key that it needs and the example of its body', async () => {
  const response = await send('/downloads/agio.postman.json')
  const { item: folders } = (await response.json()) as { readonly item: readonly { readonly item: PostmanItem[] }[] }
  const items = folders.flatMap(({ item }) => item)
  const { paths } = JSON.parse(await readFile(openApi, 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary: string }>>>>
  }
  const summaries = Object.values(paths).flatMap((item) => Object.values(item).map(({ summary }) => summary))
  expect(items.map(({ name }) => name).toSorted()).toEqual(summaries.toSorted())
  const preview = items.find(({ name }) => name === 'Preview a conversion')?.request
  expect(preview?.url.raw).toBe('{{baseUrl}}/api/v1/convert/preview')
  expect(JSON.parse(preview?.body?.raw ?? '')).toMatchObject({ amountIn: '1000' })
  const headerOf = (name: string) => items.find((item) => item.name === name)?.request.auth.apikey?.[0]?.value
  expect(['Preview a conversion', 'List the keys', 'Get the health of the service'].map(headerOf)).toEqual([
    'X-API-Key',
    'X-Admin-Key',
    undefined,
  ])
})

it('the API catalogue links to documents that are served', async () => {
  const response = await send('/.well-known/api-catalog')
  expect(response.headers.get('content-type')).toMatch(/^application\/linkset\+json/)
  const links = JSON.stringify(await response.json()).match(/(?<="href":")[^"]+/g) ?? []
  expect(links.length).toBeGreaterThan(3)
  // Without chains, /health is 503.
  for (const path of links) expect((await send(path)).status, path).toBe(path === '/health' ? 503 : 200)
})

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

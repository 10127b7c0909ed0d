import { Network } from '@agio/core'
import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import tokenListSchema from '@uniswap/token-lists/src/tokenlist.schema.json' with { type: 'json' }
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { Client, request } from 'undici'
import { describe, expect, inject, it, vi } from 'vitest'
import { expectDocumented, operations } from '../harness/openApi.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'
import { createSender, newAddress } from './createSender.ts'

describe.each(inject('runtimes'))('the HTTP edge on $name', (runtime) => {
  const { url } = runtime
  const { keyed, json, preview, send, post } = createSender(runtime)

  describe('status 200', () => {
    it.each([
      ['live', 'getLiveness'],
      ['ready', 'getReadiness'],
    ])('/health/%s needs no key and has no envelope', async (status, operationId) => {
      const response = await send(`/health/${status}`)
      expect(response).toMatchObject({ status: 200, body: { status } })
      expectDocumented(operationId, 200, response.body)
    })

    it('/health needs no key and has no envelope', async () => {
      const { status, body } = await send('/health')
      expectDocumented('getHealth', status, body)
      expect(body).toMatchObject({
        status: 'ok',
        version: '2.1.0',
        storage: 'ok',
        limits: 'local',
        chains: Network.chainIds.map((chainId) => ({ chainId, status: 'ok' })),
      })
      expect(body).not.toHaveProperty('success')
      expect(body['uptime']).toBeTypeOf('number')
      expect(new Date(String(body['timestamp'])).toISOString()).toBe(body['timestamp'])
    })

    it('a key is accepted as a bearer token, unless the request has the header X-API-Key', async () => {
      const read = async (headers: Readonly<Record<string, string>>) =>
        (await send('/api/v1/chains', { headers })).status
      const bearer = { authorization: `Bearer ${runtime.apiKey}` }
      expect(await read(bearer)).toBe(200)
      expect(await read({ ...bearer, 'x-api-key': 'agio_none' })).toBe(401)
      expect(await read({ authorization: 'Bearer agio_none', 'x-api-key': runtime.apiKey })).toBe(200)
      expect(await read({ authorization: `Basic ${runtime.apiKey}` })).toBe(401)
      expect(await read({ authorization: `Bearer ${adminKey}` })).toBe(401)
    })

    it('/tokenlist.json has the tokens of all pools, and is valid by the schema of tokenlists.org', async () => {
      const ajv = new Ajv({ strict: false })
      addFormats.default(ajv)
      const { status, body } = await send('/tokenlist.json')
      expect([status, ajv.validate(tokenListSchema, body), ajv.errors]).toEqual([200, true, null])
      const listed = (body['tokens'] as readonly { readonly chainId: number; readonly symbol: string }[]).map(
        ({ chainId, symbol }) => `${chainId} ${symbol}`,
      )
      expect(listed.toSorted()).toEqual(
        Network.chainIds.flatMap((id) => ['tAUD', 'tEUR', 'tUSD'].map((name) => `${id} ${name}`)).toSorted(),
      )
    })

    it('an empty body counts as an object without fields', async () => {
      const { status, body } = await send('/api/v1/convert/preview', { method: 'POST', headers: json, body: '' })
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'svc/invalid-request', field: 'tokenIn' })
    })

    it('the documents need no key and reference no other host', async () => {
      const openApi = await send('/openapi.json')
      expect(openApi).toMatchObject({ status: 200, body: { openapi: '3.1.0', info: { version: '2.1.0' } } })
      for (const path of ['/docs', '/docs/errors', '/docs/api']) {
        const page = await send(path)
        expect(page.status).toBe(200)
        // The document within the reference names hosts, and the page loads nothing from them.
        expect(page.text.replace(/<script type="application\/json".*?<\/script>/, '')).not.toMatch(/https?:\/\//)
      }
      expect((await send('/docs/reference.js')).text.length).toBeGreaterThan(100_000)
    })

    it.each([
      '/',
      '/api/v1',
      '/openapi.json',
      '/docs',
      '/docs/api',
      '/docs/errors',
      '/docs/reference.js',
      '/docs/guide/webhooks',
      '/docs/guide/webhooks.md',
      '/docs/search.json',
      '/docs/minisearch.js',
    ])(
      'the document %s may be cached, is compressed for clients that accept it, and is 304 for clients that have it',
      async (path) => {
        const plain = await send(path)
        for (const [encoding, decode] of Object.entries({ br: brotliDecompressSync, gzip: gunzipSync })) {
          const { statusCode, headers, body } = await request(`${url}${path}`, {
            headers: { 'accept-encoding': encoding },
          })
          const decoded = decode(Buffer.from(await body.arrayBuffer())).toString()
          expect({ statusCode, encoding: headers['content-encoding'] }).toEqual({ statusCode: 200, encoding })
          expect(headers['cache-control']).toMatch(/^public, max-age=[1-9]\d*$/)
          expect([headers['vary']].flat().join()).toContain('Accept-Encoding')
          expect(decoded === plain.text).toBe(true)
          const known = { 'if-none-match': String(headers['etag']), 'accept-encoding': encoding }
          expect(await send(path, { headers: known })).toMatchObject({ status: 304, text: '' })
        }
        expect(plain.headers['content-encoding']).toBeUndefined()
        expect(plain.headers['x-content-type-options']).toBe('nosniff')
      },
    )

    it('a page of an allowed origin may read the documents', async () => {
      const { status, headers } = await send('/openapi.json', { headers: { origin: 'https://app.example' } })
      expect([status, headers['access-control-allow-origin']]).toEqual([200, 'https://app.example'])
      expect([headers['vary']].flat().join()).toMatch(/Accept-Encoding.*Origin/)
    })

    it.each([
      '/docs/',
      '/docs/none',
      '/docs/../README.md',
      '/docs/..%2fREADME.md',
      '/docs/%2e%2e/README.md',
      '/docs/guide%2fwebhooks',
      '/docs/guide/webhooks.md%00.png',
      '/docs/%zz',
    ])('%s is not a page of the documentation', async (path) => {
      expect(await send(path)).toMatchObject({ status: 404, body: { code: 'svc/not-found' } })
    })

    it('the pages load, run and send only what they need, and no other page may frame or open them', async () => {
      for (const path of ['/docs', '/docs/api', '/docs/errors', '/docs/guide/webhooks']) {
        const { headers } = await send(path)
        const policy = headers['content-security-policy']
        for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors'])
          expect(policy, path).toContain(`${name} 'none'`)
        expect(policy, path).not.toMatch(/unsafe-eval|script-src[^;]*unsafe/)
        expect(headers['cross-origin-opener-policy'], path).toBe('same-origin')
      }
    })

    it('no answer of the API is stored by a cache, or read as another media type', async () => {
      const origin = { origin: 'https://app.example' }
      const answers = {
        health: await send('/health'),
        metrics: await send('/metrics', { headers: keyed }),
        success: await send('/api/v1/pools', { headers: keyed }),
        browser: await send('/api/v1/pools', { headers: { ...keyed, ...origin } }),
        preflight: await send('/api/v1/pools', { method: 'OPTIONS', headers: origin }),
        refusal: await send('/api/v1/pools', { headers: newAddress() }),
        unknown: await send('/nowhere'),
        method: await post('/docs', '{}'),
        procedure: await send('/trpc/pools.list', { headers: keyed }),
        failedProcedure: await send('/trpc/none', { headers: keyed }),
      }
      for (const [name, { headers }] of Object.entries(answers)) {
        expect([headers['cache-control'], headers['x-content-type-options']], name).toEqual(['no-store', 'nosniff'])
      }
    })

    it.each([
      'Application/JSON; charset=utf-8',
      'application/json;charset=UTF8',
      'application/json; charset="utf-8"',
      'application/json; profile=strict; Charset = Utf-8',
    ])('the media type %s is accepted', async (type) => {
      const headers = { ...keyed, 'content-type': type }
      expect(await post('/api/v1/convert/preview', JSON.stringify(preview), headers)).toMatchObject({ status: 200 })
    })

    it('the last page that openapi.json documents is answered, without pools', async () => {
      const { status, body } = await send('/api/v1/pools?page=1000000', { headers: keyed })
      expect({ status, body }).toMatchObject({ status: 200, body: { data: { pools: [], pagination: { page: 1e6 } } } })
    })

    it('a valid request id is kept, an invalid one is replaced', async () => {
      const kept = await send('/health', { headers: { 'x-request-id': 'order-42' } })
      expect(kept.headers['x-request-id']).toBe('order-42')
      for (const bad of ['a b', 'x'.repeat(129), '<script>']) {
        const replaced = await send('/health', { headers: { 'x-request-id': bad } })
        expect(replaced.headers['x-request-id']).toMatch(/^[\w-]{36}$/)
      }
    })

    it('a preflight needs no key, and only configured origins are allowed', async () => {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
      const allowed = await send('/api/v1/convert/preview', { method: 'OPTIONS', headers })
      expect(allowed.status).toBe(204)
      expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example')
      for (const name of ['X-API-Key', 'traceparent'])
        expect(allowed.headers['access-control-allow-headers']).toContain(name)
      const refused = await send('/health', { headers: { origin: 'https://evil.example' } })
      expect(refused.headers['access-control-allow-origin']).toBeUndefined()
      const exposed = (await send('/health', { headers: { origin: 'https://app.example' } })).headers
      for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id']) {
        expect(exposed['access-control-expose-headers']).toContain(name)
      }
    })
  })

  describe('an aborted request', () => {
    /** Number of responses by status. */
    async function countAnswers(operation: string): Promise<Readonly<Record<string, number>>> {
      const { text } = await send('/metrics', { headers: keyed })
      const lines = text.matchAll(/^agio_requests_total\{operation="([\w.]+)",status="(\d+)"\} (\d+)$/gm)
      const counts = [...lines].flatMap(([, name, status, count]) =>
        name === operation ? [[status, Number(count)]] : [],
      )
      return Object.fromEntries(counts) as Record<string, number>
    }
    it.each(['content-length: 1000', 'transfer-encoding: chunked'])(
      'an aborted request is not counted as a failure of the service: an incomplete body (%s)',
      async (framing) => {
        const before = await countAnswers('admin.keys.create')
        const { hostname, port } = new URL(url)
        const socket = connect(Number(port), hostname)
        const headers = [
          ...Object.entries(json).map((pair) => pair.join(': ')),
          framing,
          'expect: 100-continue',
          'host: service',
        ]
        socket.write(`POST /api/v1/admin/keys HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
        await once(socket, 'data')
        socket.end('5\r\n{"a":\r\n')
        // Other tests call the same service at the same time; none of them makes it fail.
        const after = await vi.waitUntil(async () => {
          const counts = await countAnswers('admin.keys.create')
          return ((counts['400'] ?? 0) > (before['400'] ?? 0) || counts['500'] !== before['500']) && counts
        }, eventually)
        expect(after['500']).toBe(before['500'])
      },
    )
  })

  describe('an absolute request target', () => {
    it.each(['other.example', 'user:secret@other.example'])(
      'an absolute request target with host %s is routed by its path',
      async (host) => {
        const client = new Client(url)
        for (const path of ['/trpc/pools.list', '/api/v1/pools']) {
          const response = await client.request({ method: 'GET', path: `http://${host}${path}`, headers: keyed })
          expect(response.statusCode, path).toBe(200)
          expect(await response.body.text()).not.toContain('secret')
        }
        await client.close()
      },
    )
  })

  describe('the index', () => {
    it.each(['/', '/api/v1'])('GET %s lists the operations without a key', async (path) => {
      const { status, text } = await send(path)
      expect(status).toBe(200)
      const listed = (JSON.parse(text) as { operations: { path: string }[] }).operations
      expect(listed.map((operation) => operation.path)).toEqual(operations.map((operation) => operation.path))
    })
  })

  describe('status 405 outside the API', () => {
    it.each(['/', '/api/v1', '/health', '/metrics', '/openapi.json', '/docs', '/docs/api', '/docs/errors'])(
      'POST %s is rejected',
      async (path) => {
        const answer = await post(path, '{}')
        expect(answer).toMatchObject({ status: 405, body: { code: 'svc/method-not-allowed' } })
        expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS')
      },
    )
  })
})

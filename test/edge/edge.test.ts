import { Network } from '@agio/core'
import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Client, request } from 'undici'
import { describe, expect, inject, it, vi } from 'vitest'
import { expectDocumented, operations } from '../harness/openApi.ts'
import { adminKey } from '../harness/settingsFor.ts'

type Options = { method?: string; headers?: Record<string, string>; body?: string | Buffer }

describe.each(inject('runtimes'))('the HTTP edge on $name', ({ url, apiKey, chains }) => {
  const keyed = { 'x-api-key': apiKey, 'x-admin-key': adminKey }
  const json = { ...keyed, 'content-type': 'application/json' }
  const preview = {
    tokenIn: chains[84532].tokens['tAUD'],
    tokenOut: chains[84532].tokens['tUSD'],
    amountIn: '1000',
  }

  async function send(path: string, { method = 'GET', ...options }: Options = {}) {
    const response = await request(`${url}${path}`, { method: method as 'GET', ...options })
    const text = await response.body.text()
    return { status: response.statusCode, headers: response.headers, text, body: parse(text) }
  }
  const post = (path: string, body: string | Buffer, headers: Record<string, string> = json) =>
    send(path, { method: 'POST', headers, body })

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

    it('the documents need no key and reference no other host', async () => {
      const openApi = await send('/openapi.json')
      expect(openApi).toMatchObject({ status: 200, body: { openapi: '3.1.0', info: { version: '2.1.0' } } })
      for (const [path, source] of Object.entries({ '/docs': 'none', '/docs/errors': 'none', '/docs/api': 'self' })) {
        const page = await send(path)
        expect(page.status).toBe(200)
        expect(page.text).not.toMatch(/https?:\/\//)
        expect(page.headers['content-security-policy']).toContain(`default-src '${source}'`)
      }
      expect((await send('/docs/reference.js')).text.length).toBeGreaterThan(100_000)
    })

    it.each([
      ...['/', '/api/v1', '/openapi.json', '/docs', '/docs/api', '/docs/errors', '/docs/reference.js'],
      ...['/docs/guide/webhooks', '/docs/guide/webhooks.md', '/docs/search.json', '/docs/minisearch.js'],
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
          expect(headers['vary']).toContain('Accept-Encoding')
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
      '/docs/guide',
      '/docs/guide/webhooks/',
      '/docs/../README.md',
      '/docs/..%2fREADME.md',
      '/docs/%2e%2e/README.md',
      '/docs/guide%2fwebhooks',
      '/docs/guide/../../package.json',
      '/docs/guide/webhooks.md%00.png',
      '/docs/%zz',
    ])('%s is not a page of the documentation', async (path) => {
      expect(await send(path)).toMatchObject({ status: 404, body: { code: 'svc/not-found' } })
    })

    it('no other page may frame the documents', async () => {
      for (const path of ['/docs', '/docs/api', '/docs/errors']) {
        expect((await send(path)).headers['content-security-policy']).toContain("frame-ancestors 'none'")
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
      expect(allowed.headers['access-control-allow-headers']).toContain('X-API-Key')
      const refused = await send('/health', { headers: { origin: 'https://evil.example' } })
      expect(refused.headers['access-control-allow-origin']).toBeUndefined()
      const exposed = (await send('/health', { headers: { origin: 'https://app.example' } })).headers
      for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id']) {
        expect(exposed['access-control-expose-headers']).toContain(name)
      }
    })
  })

  describe('status 400', () => {
    it.each(['', '{', '[]', 'null', '"text"', '42', '{"a":1,}', "{'a':1}"])('the body %j is rejected', async (body) => {
      expect(await post('/api/v1/convert/preview', body)).toMatchObject({
        status: 400,
        body: { success: false, code: 'svc/invalid-request', field: 'body' },
      })
    })

    it('a body that is not UTF-8 is rejected', async () => {
      expect(await post('/api/v1/convert/preview', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))).toMatchObject({
        status: 400,
        body: { code: 'svc/invalid-request', field: 'body' },
      })
    })

    it('names of the object prototype are fields like any other', async () => {
      for (const name of ['__proto__', 'constructor', 'prototype', 'toString']) {
        const body = `{"${name}":{"amountIn":"1"},${JSON.stringify(preview).slice(1)}`
        const answer = await post('/api/v1/convert/preview', body)
        expect(answer, name).toMatchObject({ status: 400, body: { code: 'svc/invalid-request', field: name } })
      }
    })

    it('a body field that a path parameter would overwrite is rejected, at any depth', async () => {
      const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`
      const answer = await post('/api/v1/admin/keys/key_none/revoke', `{"id":${deep}}`)
      expect(answer).toMatchObject({ status: 400, body: { code: 'svc/invalid-request', field: 'id' } })
      expect(answer.body).not.toHaveProperty('value')
    })

    it('an invalid value is echoed in part if it is long, and not at all if it is not a scalar', async () => {
      const long = 'x'.repeat(90_000)
      const shown = `${'x'.repeat(100)}…`
      const refusal = { code: 'svc/invalid-request', field: shown }
      const inputs = {
        '/api/v1/convert/preview': preview,
        '/trpc/transaction.broadcast': { signedTransaction: '0x02' },
      }
      for (const [path, input] of Object.entries(inputs)) {
        const { status, text } = await post(path, JSON.stringify({ ...input, [long]: 1 }))
        expect(status).toBe(400)
        expect(text).toContain(`"field":"${shown}"`)
        expect(text.length).toBeLessThan(1000)
      }
      const single = await send(`/api/v1/pools?${long.slice(0, 4000)}=${long.slice(0, 4000)}`, { headers: keyed })
      expect(single).toMatchObject({ status: 400, body: { ...refusal, value: shown } })
      expect(single.text.length).toBeLessThan(1000)
      const twice = await send('/api/v1/pools?foo=1&foo=2', { headers: keyed })
      expect(twice).toMatchObject({ status: 400, body: { field: 'foo' } })
      expect(twice.body).not.toHaveProperty('value')
    })

    it('a name that a database cannot store unchanged is rejected', async () => {
      for (const name of ['a\u0000b', '\u007f', '\ud800', '\udc00\ud800']) {
        const application = { email: 'dev@shop.example', useCase: 'payouts', expectedVolume: 'any' }
        const answer = await post('/api/v1/admin/keys', JSON.stringify({ ...application, name }))
        expect(answer).toMatchObject({ status: 400, body: { code: 'svc/invalid-request', field: 'name' } })
        expect(answer.body['value']).toBe(name.toWellFormed())
      }
    })

    it('a query on a path that takes a body is rejected', async () => {
      expect(await post('/api/v1/convert/preview?chainId=421614', JSON.stringify(preview))).toMatchObject({
        status: 400,
        body: { code: 'svc/invalid-request', field: 'chainId' },
      })
    })

    it.each([
      'foo',
      'foo=',
      'foo=1',
      '__proto__=1',
      'chainId=',
      'page=',
      'limit=',
      'chainId=084532',
      'chainId=84532&chainId=84532',
    ])('the query ?%s is rejected', async (query) => {
      const answer = await send(`/api/v1/pools?${query}`, { headers: keyed })
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'svc/invalid-request', field: query.split('=')[0] },
      })
    })

    it.each([
      ['page', '1000001', '1000000'],
      ['page', '1000000000000000', '1000000'],
      ['page', '0', '1000000'],
      ['page', '-1', '1000000'],
      ['page', '1.5', '1000000'],
      ['page', 'two', '1000000'],
      ['limit', '101', '100'],
    ])('the query ?%s=%s is rejected with the limits in its message', async (field, value, maximum) => {
      const answer = await send(`/api/v1/pools?${field}=${value}`, { headers: keyed })
      const error = `svc/invalid-request: Cannot read ${field}: it is not an integer from 1 to ${maximum}`
      expect(answer).toMatchObject({ status: 400, body: { error, field, value } })
    })

    it('a query parameter that a path parameter would overwrite is rejected', async () => {
      expect(await send('/api/v1/oracle/prices/84532?chainId=421614', { headers: keyed })).toMatchObject({
        status: 400,
        body: { code: 'svc/invalid-request', field: 'chainId' },
      })
    })

    it('a tRPC path with invalid percent-encoding is rejected', async () => {
      expect(await send('/trpc/%zz', { headers: keyed })).toMatchObject({
        status: 400,
        body: { error: { data: { code: 'svc/invalid-request' } } },
      })
    })

    it.each([
      ['/trpc/%zz', {}],
      ['/trpc/pools.list?connectionParams=1', {}],
      ['/trpc/pools.list,transaction.broadcast?batch=1', {}],
      ['/trpc/pools.list', { 'trpc-accept': 'application/jsonl' }],
      ['/trpc/pools.list', { 'content-type': 'multipart/form-data' }],
    ])('an error of tRPC itself has the request id: %s %j', async (path, headers) => {
      const { status, body, headers: answered } = await send(path, { headers: { ...keyed, ...headers } })
      expect(body).toMatchObject({ error: { data: { httpStatus: status, requestId: answered['x-request-id'] } } })
      expect([400, 405]).toContain(status)
    })

    it('a tRPC batch of more than ten calls is rejected', async () => {
      const paths = Array.from({ length: 11 }, () => 'pools.list').join(',')
      const answer = await send(`/trpc/${paths}?batch=1&input=%7B%7D`, { headers: keyed })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('svc/invalid-request')
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
        })
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

  describe('status 401', () => {
    const paths = operations.filter(({ path }) => !path.startsWith('/health'))
    it.each(paths)('$method $path is rejected without a key and with an unknown one', async ({ method, path }) => {
      for (const key of [{}, { 'x-api-key': 'unknown' }, { 'x-api-key': '' }, { 'x-admin-key': 'unknown' }]) {
        expect(await send(path, { method, headers: { ...key, ...newAddress() } })).toMatchObject({
          status: 401,
          body: { success: false, code: 'svc/unauthorized', requestId: expect.any(String) },
        })
      }
    })

    it.each(['/trpc/%zz', '/trpc/pools.list?connectionParams=1', '/trpc/pools.list,transaction.broadcast?batch=1'])(
      'the unreadable tRPC request %s is rejected without a key',
      async (path) => {
        expect(await send(path, { headers: newAddress() })).toMatchObject({
          status: 401,
          body: { error: { data: { code: 'svc/unauthorized', requestId: expect.any(String) } } },
        })
      },
    )

    it('calls and batches over tRPC without a valid key are rejected in the error shape of tRPC', async () => {
      const single = await send('/trpc/pools.list', { headers: newAddress() })
      expect(single).toMatchObject({
        status: 401,
        body: { error: { data: { code: 'svc/unauthorized', httpStatus: 401 } } },
      })
      const batch = await send('/trpc/pools.list,pools.list?batch=1&input=%7B%7D', { headers: newAddress() })
      expect(batch.status).toBe(401)
      expect(batch.text).toContain('svc/unauthorized')
    })
  })

  describe('the index', () => {
    it.each(['/', '/api/v1'])('GET %s lists the operations without a key', async (path) => {
      const { status, text } = await send(path)
      expect(status).toBe(200)
      const listed = (JSON.parse(text) as { operations: { path: string }[] }).operations
      expect(listed.map((operation) => operation.path)).toEqual(operations.map((operation) => operation.path))
    })
  })

  describe('statuses 404 and 405', () => {
    it.each([
      '/api/v1/',
      '/api/v1/pool',
      '/api/v1/pools/',
      '/api/v2/pools',
      '/api/v1/pools/a/b',
      '/trpc/no.such',
      '/trpc/',
      '/api/v1/%zz',
      '/api/v1/admin',
      '/api/v1/admin/none',
    ])('the unknown path %s is rejected', async (path) => {
      const { status, text } = await send(path, { headers: keyed })
      expect(status).toBe(404)
      expect(text).toContain('svc/not-found')
    })

    it.each(operations.filter(({ path }) => !path.startsWith('/health')))(
      '$path rejects other methods and lists the allowed ones',
      async ({ path }) => {
        const taken = operations.filter((other) => other.path === path).map(({ method }) => method)
        for (const wrong of ['PUT', 'DELETE', 'PATCH', 'GET', 'POST'].filter((method) => !taken.includes(method))) {
          const answer = await send(path, { method: wrong, headers: json })
          expect(answer, wrong).toMatchObject({ status: 405, body: { code: 'svc/method-not-allowed' } })
          const allowed = [...taken, ...(taken.includes('GET') ? ['HEAD'] : [])].toSorted()
          expect(answer.headers.allow).toBe([...allowed, 'OPTIONS'].join(', '))
        }
      },
    )
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

    it('PUT on a tRPC procedure is rejected in the error shape of tRPC', async () => {
      const answer = await send('/trpc/transaction.broadcast', { method: 'PUT', headers: json, body: '{}' })
      expect(answer).toMatchObject({
        status: 405,
        body: { error: { data: { code: 'svc/method-not-allowed', requestId: answer.headers['x-request-id'] } } },
      })
      expect(answer.headers.allow).toBe('POST, OPTIONS')
    })
  })

  describe('status 429', () => {
    it('the documents are limited by address for requests without a valid key, and health is not', async () => {
      const address = newAddress()
      const isLimited = async () => (await send('/docs/errors', { headers: address })).status === 429
      let isReached = false
      for (let count = 0; count < 1000 && !isReached; count += 1) isReached = await isLimited()
      const refused = await send('/openapi.json', { headers: { ...address, 'x-api-key': 'unknown' } })
      expect(refused).toMatchObject({ status: 429, body: { success: false, code: 'svc/rate-limited' } })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      for (const path of ['/health', '/api/v1/pools']) {
        expect((await send(path, { headers: { ...address, ...keyed } })).status, path).toBe(200)
      }
      expect((await send('/docs', { headers: { ...address, ...keyed } })).status).toBe(200)
      expect((await send('/docs', { headers: newAddress() })).status).toBe(200)
    })
  })

  describe('statuses 413 and 415', () => {
    const tooLarge = JSON.stringify({ ...preview, amountIn: '1'.repeat(100_000) })

    it('a body above 100,000 bytes is rejected over REST and tRPC', async () => {
      expect(await post('/api/v1/convert/preview', tooLarge)).toMatchObject({
        status: 413,
        body: { code: 'svc/payload-too-large' },
      })
      expect(await post('/trpc/transaction.broadcast', tooLarge)).toMatchObject({
        status: 413,
        body: { error: { data: { code: 'svc/payload-too-large', httpStatus: 413 } } },
      })
    })

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data', 'json'])(
      'the media type %s is rejected',
      async (type) => {
        const headers = { ...keyed, 'content-type': type }
        expect(await post('/api/v1/convert/preview', JSON.stringify(preview), headers)).toMatchObject({
          status: 415,
          body: { code: 'svc/unsupported-media-type' },
        })
      },
    )

    it.each(['iso-8859-1', 'utf-16', '"us-ascii"', 'utf-8; charset=latin1', ''])(
      'a body in the charset %s is rejected over REST and tRPC: only UTF-8 is read',
      async (charset) => {
        const headers = { ...keyed, 'content-type': `application/json; charset=${charset}` }
        expect(await post('/api/v1/convert/preview', JSON.stringify(preview), headers)).toMatchObject({
          status: 415,
          body: { code: 'svc/unsupported-media-type' },
        })
        expect(await post('/trpc/transaction.broadcast', '{}', headers)).toMatchObject({
          status: 415,
          body: { error: { data: { code: 'svc/unsupported-media-type' } } },
        })
      },
    )

    it('a body with an unsupported content encoding is rejected', async () => {
      const headers = { ...json, 'content-encoding': 'gzip' }
      expect(await post('/api/v1/convert/preview', JSON.stringify(preview), headers)).toMatchObject({ status: 415 })
    })

    it('a body without a media type is rejected', async () => {
      expect(await post('/api/v1/convert/preview', JSON.stringify(preview), keyed)).toMatchObject({ status: 415 })
    })
  })
})

let addresses = 0

/** A request from its own address: unauthenticated requests are limited by address. */
function newAddress(): Record<string, string> {
  addresses += 1
  return { 'x-forwarded-for': `10.0.${addresses >> 8}.${addresses & 255}` }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

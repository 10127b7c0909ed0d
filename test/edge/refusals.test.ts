import { describe, expect, inject, it } from 'vitest'
import { operations } from '../harness/openApi.ts'
import { createSender, newAddress } from './createSender.ts'

describe.each(inject('runtimes'))('the HTTP edge on $name', (runtime) => {
  const { keyed, json, preview, send, post } = createSender(runtime)

  describe('status 400', () => {
    it.each(['{', '[]', 'null', '"text"', '42', '{"a":1,}', "{'a':1}"])('the body %j is rejected', async (body) => {
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

    it.each(['foo', 'foo=1', '__proto__=1', 'chainId=', 'page=', 'chainId=084532', 'chainId=84532&chainId=84532'])(
      'the query ?%s is rejected',
      async (query) => {
        const answer = await send(`/api/v1/pools?${query}`, { headers: keyed })
        expect(answer).toMatchObject({
          status: 400,
          body: { code: 'svc/invalid-request', field: query.split('=')[0] },
        })
      },
    )

    it.each([
      ['page', '1000001', '1000000'],
      ['page', '0', '1000000'],
      ['page', '1.5', '1000000'],
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

import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { operations } from '../harness/openApi.ts'
import { validInputs } from '../harness/validInputs.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { adminKey } from '../harness/settingsFor.ts'

const documents = ['/', '/api/v1', '/openapi.json', '/docs', '/docs/api', '/docs/errors', '/docs/guide/webhooks.md']
const unknown = ['/none', '/api/v1/none', '/trpc/no.such', '/api/v1/pools?page=0']

describe.each(inject('runtimes'))('the methods of $name', ({ url, apiKey, chains }) => {
  const keys = { 'x-api-key': apiKey, 'x-admin-key': adminKey }
  const loggedId = randomUUID()

  // The requests of this file are logged too. So the lists of logged requests are compared for one earlier request.
  beforeAll(async () => {
    await send('GET', '/api/v1/pools?page=0', { ...keys, 'x-request-id': loggedId })
    const path = fillPath('/api/v1/usage/requests')
    await vi.waitUntil(async () => (await send('GET', path)).text.includes('pools.list'), eventually)
  })

  async function send(method: 'GET' | 'HEAD' | 'OPTIONS' | 'PUT', path: string, given: object = keys) {
    const response = await request(`${url}${path}`, { method, headers: { 'x-request-id': 'same', ...given } })
    // undici closes the connection of a HEAD.
    const { date: _, connection: __, 'keep-alive': ___, ...answered } = response.headers
    // A header may be sent in several lines.
    const headers = Object.entries(answered).map(([name, value]) => [name, [value].flat().join(', ')] as const)
    return { status: response.statusCode, headers: toSorted(headers), text: await response.body.text() }
  }

  /** Fills a path by the valid inputs, and encodes the other fields as its query. */
  function fillPath(path: string): string {
    const { address } = validInputs(chains[84532])['transaction.nonce']
    const { poolAddress } = validInputs(chains[84532])['pools.get']
    const values: Readonly<Record<string, string>> = { address, poolAddress, chainId: '84532' }
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    if (path.endsWith('/requests')) return `${filled}?requestId=${loggedId}`
    return path.includes('/faucet/') ? `${filled}?chainId=84532` : filled
  }

  const paths = operations.filter(({ method }) => method === 'GET').map(({ path }) => fillPath(path))

  it.each([...paths, ...documents, ...unknown, '/trpc/pools.list'])(
    'HEAD %s has the status and the headers of its GET, and no body',
    async (path) => {
      // Between two requests a block may arrive, or a request of another test be counted.
      const difference = async () => {
        const [get, head] = [await send('GET', path), await send('HEAD', path)]
        // A body without a length is sent in chunks.
        const { 'transfer-encoding': _, ...headers } = get.headers
        const length = String(Buffer.byteLength(get.text))
        const withLength = toSorted(Object.entries({ ...headers, 'content-length': length }))
        const expected = { status: get.status, headers: withLength, text: '' }
        return JSON.stringify(head) === JSON.stringify(expected) ? [] : [head, expected]
      }
      await expect.poll(difference).toEqual([])
    },
  )

  it('HEAD /metrics has the status and the media type of its GET, and no body', async () => {
    const [get, head] = [await send('GET', '/metrics'), await send('HEAD', '/metrics')]
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0)
  })

  it('HEAD counts as one call of the key, as GET does', async () => {
    const { id, key } = await createAdminClient(url).issue()
    const { headers } = await send('HEAD', '/api/v1/pools', { 'x-api-key': key })
    expect(headers['ratelimit']).toMatch(/^"standard";r=99;/)
    await expect
      .poll(async () => (await createAdminClient(url).statsOf(id)).callsByOperation)
      .toEqual({ 'pools.list': 1 })
  })

  it('HEAD needs a key where GET does', async () => {
    expect(await send('HEAD', '/api/v1/pools', { 'x-forwarded-for': '10.9.0.1' })).toMatchObject({
      status: 401,
      text: '',
    })
  })

  it('error: svc/method-not-allowed for HEAD of a path without GET', async () => {
    const { status, headers, text } = await send('HEAD', '/api/v1/convert/preview')
    expect({ status, text, allow: headers['allow'] }).toEqual({ status: 405, text: '', allow: 'POST, OPTIONS' })
  })

  it.each([
    ['GET', 'transaction.broadcast', 'POST, OPTIONS'],
    ['PUT', 'transaction.broadcast', 'POST, OPTIONS'],
    ['PUT', 'pools.list', 'GET, HEAD, POST, OPTIONS'],
    ['PUT', 'pools.list,pools.get', 'GET, HEAD, POST, OPTIONS'],
    ['PUT', 'no.such', 'GET, HEAD, POST, OPTIONS'],
  ] as const)('error: svc/method-not-allowed for %s of /trpc/%s, with the methods %s', async (method, names, allow) => {
    const { status, headers } = await send(method, `/trpc/${names}`)
    expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow })
  })

  it('HEAD of a stream over tRPC is answered without waiting for its end', async () => {
    const headers = { ...keys, 'trpc-accept': 'application/jsonl' }
    const path = '/trpc/pools.list?batch=1&input=%7B%7D'
    const [get, head] = [await send('GET', path, headers), await send('HEAD', path, headers)]
    expect(head).toMatchObject({ status: get.status, text: '' })
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
  })

  it('a preflight needs no key and names the methods of its path', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    for (const [path, methods] of Object.entries({
      '/health': 'GET, HEAD',
      '/docs/guide/convert': 'GET, HEAD',
      '/api/v1': 'GET, HEAD',
      '/api/v1/pools': 'GET, HEAD',
      '/api/v1/convert/preview': 'POST',
      '/api/v1/admin/keys': 'GET, HEAD, POST',
      '/trpc/transaction.broadcast': 'POST',
      '/trpc/pools.list,convert.preview?batch=1': 'GET, HEAD, POST',
    })) {
      const { status, headers: answered } = await send('OPTIONS', path, headers)
      expect({ path, status }).toEqual({ path, status: 204 })
      expect(answered['access-control-allow-methods']).toBe(methods.replaceAll(' ', ''))
      expect(answered['allow']).toBe(`${methods}, OPTIONS`)
    }
    for (const path of ['/none', '/api/v1/pools/', '/trpc/no.such']) {
      const { status, headers: answered } = await send('OPTIONS', path, headers)
      expect({ path, status }).toEqual({ path, status: 204 })
      expect(answered['access-control-allow-origin']).toBe('https://app.example')
      expect(answered).not.toHaveProperty('access-control-allow-methods')
      expect(answered).not.toHaveProperty('allow')
    }
  })
})

function toSorted(headers: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(headers.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

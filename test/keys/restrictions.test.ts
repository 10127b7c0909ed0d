import { request } from 'undici'
import { describe, expect, inject, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { eventually } from '../harness/timeLimits.ts'
import { openStream } from '../streams/openStream.ts'

const origin = 'https://shop.example'

describe.each(inject('runtimes'))('keys with restrictions on $name', ({ url }) => {
  const admin = createAdminClient(url)
  async function send(
    path: string,
    headers: Record<string, string>,
    method: 'GET' | 'POST' | 'HEAD' | 'OPTIONS' = 'GET',
  ) {
    const isPost = method === 'POST'
    const response = await request(`${url}${path}`, {
      method,
      headers: { ...headers, ...(isPost && { 'content-type': 'application/json' }) },
      body: isPost ? '{}' : null,
    })
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
  }
  const codeOf = ({ text }: { readonly text: string }) => /svc\/[a-z-]+/.exec(text)?.[0]

  describe('scopes', () => {
    it('a key calls the operations of its scopes, and the refusal of another operation names its scope', async () => {
      const { key } = await admin.issueWith({ scopes: ['read', 'read', 'usage'] })
      const headers = { 'x-api-key': key }
      for (const path of ['/api/v1/pools', '/api/v1/usage', '/api/v1/keys/self', '/trpc/pools.list,usage.get?batch=1'])
        expect((await send(path, headers)).status, path).toBe(200)
      for (const [path, scope] of [
        ['/api/v1/transaction/broadcast', 'broadcast'],
        ['/api/v1/swap/execute', 'broadcast'],
        ['/api/v1/transaction/build/swap', 'build'],
        ['/api/v1/keys/rotate', 'rotate'],
        ['/trpc/swap.build', 'build'],
        ['/trpc/keys.rotate', 'rotate'],
      ] as const) {
        const refused = await send(path, headers, 'POST')
        expect(refused.status, path).toBe(403)
        expect(refused.text).toMatch(new RegExp(`svc/forbidden-scope.*"scope":"${scope}"`))
      }
    })

    it('a batch with one operation outside of the scopes runs none of its operations', async () => {
      const { id, key } = await admin.issueWith({ scopes: ['read'] })
      for (const names of ['pools.list,webhooks.list', 'webhooks.list,pools.list', 'pools.list%2Cwebhooks.list'])
        expect(codeOf(await send(`/trpc/${names}?batch=1&input=%7B%7D`, { 'x-api-key': key })), names).toBe(
          'svc/forbidden-scope',
        )
      expect(await admin.statsOf(id)).toMatchObject({ calls: 0, refused: 0 })
    })

    it('HEAD needs the scope of GET, and a path that does not exist is 404', async () => {
      const { key } = await admin.issueWith({ scopes: ['usage'] })
      expect((await send('/api/v1/pools', { 'x-api-key': key }, 'HEAD')).status).toBe(403)
      expect((await send('/api/v1/usage', { 'x-api-key': key }, 'HEAD')).status).toBe(200)
      expect((await send('/api/v1/none', { 'x-api-key': key })).status).toBe(404)
    })

    it('a stream needs the scope read, over Server-Sent Events and tRPC', async () => {
      const { key } = await admin.issueWith({ scopes: ['usage'] })
      const topics = encodeURIComponent(JSON.stringify([{ topic: 'health' }]))
      const input = encodeURIComponent(JSON.stringify({ topics: [{ topic: 'health' }] }))
      for (const path of [`/api/v1/stream?topics=${topics}`, `/trpc/stream.watch?input=${input}`])
        expect(codeOf(await send(path, { 'x-api-key': key })), path).toBe('svc/forbidden-scope')
    })

    it('a change of its scopes applies at once, and ends the open streams that need a removed scope', async () => {
      const { id, key } = await admin.issueWith({})
      const stream = await openStream(url, { topics: [{ topic: 'health' }], apiKey: key })
      await stream.waitForTopic('health')
      await admin.update(id, { scopes: ['usage'] })
      expect((await send('/api/v1/pools', { 'x-api-key': key })).status).toBe(403)
      const { data } = await stream.waitForTopic('end')
      expect(JSON.stringify(data)).toContain('svc/forbidden-scope')
      await stream.close()
      await admin.update(id, { scopes: null })
      expect((await send('/api/v1/pools', { 'x-api-key': key })).status).toBe(200)
    })
  })

  describe('expiry', () => {
    it('responses name the expiry of a key only in its last seven days', async () => {
      const soon = new Date(Date.now() + 6 * 86_400_000).toISOString()
      const { id, key } = await admin.issueWith({ expiresAt: soon })
      const header = async () => (await send('/api/v1/pools', { 'x-api-key': key })).headers['x-api-key-expires-at']
      expect(await header()).toBe(soon)
      await admin.update(id, { expiresAt: '2099-01-31T00:00:00Z' })
      expect(await header()).toBeUndefined()
    })

    it('a key that expires ends its open streams, over Server-Sent Events', async () => {
      const { id, key } = await admin.issueWith({})
      const stream = await openStream(url, { topics: [{ topic: 'health' }], apiKey: key })
      await stream.waitForTopic('health')
      // A machine that stands still for longer sends a time that has passed.
      const expire = () => admin.update(id, { expiresAt: new Date(Date.now() + 3000).toISOString() }).then(() => true)
      await expect.poll(() => expire().catch(() => false), eventually).toBe(true)
      const { data } = await stream.waitForTopic('end')
      expect(JSON.stringify(data)).toContain('svc/key-expired')
      await stream.close()
      const refused = await send('/api/v1/pools', { 'x-api-key': key })
      expect([refused.status, codeOf(refused)]).toEqual([403, 'svc/key-expired'])
      expect(refused.text).toMatch(/it expired at \d{4}-\d\d-\d\dT/)
    })
  })

  describe('addresses', () => {
    it('a key works from its networks, by the address that the trusted proxy names', async () => {
      const { key } = await admin.issueWith({ allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] })
      const statusFrom = async (forwarded: string) =>
        (await send('/api/v1/pools', { 'x-api-key': key, 'x-forwarded-for': forwarded })).status
      for (const address of ['203.0.113.7', '2001:db8::7', '::ffff:203.0.113.7', '198.51.100.1, 203.0.113.7'])
        expect(await statusFrom(address), address).toBe(200)
      for (const address of ['203.0.114.7', '203.0.113.7, 198.51.100.1', '2001:db9::7', 'unknown'])
        expect(await statusFrom(address), address).toBe(403)
      const refused = await send('/trpc/pools.list', { 'x-api-key': key, 'x-forwarded-for': '198.51.100.1' })
      expect(codeOf(refused)).toBe('svc/address-forbidden')
    })

    it('a dry run admits other addresses, and its end refuses them', async () => {
      const { id, key } = await admin.issueWith({ allowedCidrs: ['203.0.113.0/24'], isCidrDryRun: true })
      const statusOf = async () =>
        (await send('/api/v1/pools', { 'x-api-key': key, 'x-forwarded-for': '198.51.100.1' })).status
      expect(await statusOf()).toBe(200)
      await admin.update(id, { isCidrDryRun: false })
      expect(await statusOf()).toBe(403)
    })
  })

  describe('origins', () => {
    it('a key works only on pages of its origins', async () => {
      const { key } = await admin.issueWith({ allowedOrigins: [origin] })
      expect((await send('/api/v1/pools', { 'x-api-key': key, origin })).status).toBe(200)
      for (const headers of [{}, { origin: 'null' }, { origin: `${origin}.evil` }, { origin: 'https://app.example' }]) {
        const refused = await send('/api/v1/pools', { 'x-api-key': key, ...headers })
        expect([refused.status, codeOf(refused)], JSON.stringify(headers)).toEqual([403, 'svc/origin-forbidden'])
      }
    })

    it('preflights and responses allow the origins of all keys, and no other origin', async () => {
      const own = `https://${crypto.randomUUID()}.example`
      const preflight = async (from: string) => {
        const headers = {
          origin: from,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'x-api-key',
        }
        return (await send('/api/v1/pools', headers, 'OPTIONS')).headers['access-control-allow-origin']
      }
      expect(await preflight(own)).toBeUndefined()
      const { id, key } = await admin.issueWith({ allowedOrigins: [own, 'http://localhost:5173'] })
      expect(await preflight(own)).toBe(own)
      expect(await preflight('https://app.example')).toBe('https://app.example')
      expect(await preflight('null')).toBeUndefined()
      const answer = await send('/api/v1/pools', { 'x-api-key': key, origin: own })
      expect(answer.headers['access-control-allow-origin']).toBe(own)
      expect(answer.headers['access-control-expose-headers']).toContain('X-API-Key-Expires-At')
      await admin.revoke(id)
      await expect.poll(() => preflight(own), eventually).toBeUndefined()
    })
  })

  describe('publishable keys', () => {
    it('a publishable key only reads, and only on pages of its origins', async () => {
      const { key } = await admin.issueWith({ kind: 'publishable', allowedOrigins: [origin] })
      expect(key).toMatch(/^agio_pk_/)
      const headers = { 'x-api-key': key, origin }
      expect((await send('/api/v1/pools', headers)).status).toBe(200)
      expect(codeOf(await send('/api/v1/keys/rotate', headers, 'POST'))).toBe('svc/forbidden-scope')
      expect(codeOf(await send('/api/v1/usage', headers))).toBe('svc/forbidden-scope')
      expect(codeOf(await send('/api/v1/pools', { 'x-api-key': key }))).toBe('svc/origin-forbidden')
      const { data } = JSON.parse((await send('/api/v1/keys/self', headers)).text) as { readonly data: object }
      expect(data).toMatchObject({ kind: 'publishable', scopes: ['read'] })
      expect(Object.keys(data).toSorted(), 'nothing that names its owner').toEqual([
        'id',
        'kind',
        'limits',
        'prefix',
        'scopes',
        'tier',
      ])
    })

    it('error: a publishable key keeps its scope and has at least one origin', async () => {
      await expect(admin.issueWith({ kind: 'publishable' })).rejects.toThrow('Cannot read allowedOrigins')
      const broadcasting = { kind: 'publishable', allowedOrigins: [origin], scopes: ['read', 'broadcast'] }
      await expect(admin.issueWith(broadcasting)).rejects.toThrow('Cannot read scopes')
      const { id } = await admin.issueWith({ kind: 'publishable', allowedOrigins: [origin] })
      await expect(admin.update(id, { allowedOrigins: null })).rejects.toThrow('Cannot read allowedOrigins')
      for (const scopes of [null, ['rotate']])
        await expect(admin.update(id, { scopes })).rejects.toThrow('Cannot read scopes')
      await expect(admin.update(id, {})).rejects.toThrow('at least one field')
    })
  })

  const times = [
    '2020-01-01T00:00:00Z',
    '2099-02-31T00:00:00Z',
    '2099-01-31T24:00:00Z',
    '2099-01-31',
    '2099-01-31T00:00:00+01:00',
  ]
  const origins = ['*', 'null', 'shop.example', `${origin}/`, 'https://*.example', `${origin}?a`]
  const tooMany = Array.from({ length: 101 }, (_, index) => `10.0.${index}.0/24`)
  it.each([
    ...times.map((time) => [`the expiry ${time}`, { expiresAt: time }, 'Cannot read expiresAt'] as const),
    ...origins.map(
      (each) => [`the origin ${each}`, { allowedOrigins: [each] }, 'Cannot read allowedOrigins.0'] as const,
    ),
    ...['\u202e', '\u2066', '\u200f', '\u061c', '\u200b', '\ufeff', '\u2028', '\u{e0041}'].map(
      (hidden) =>
        [`the hidden character ${hidden.codePointAt(0)}`, { name: `Shop ${hidden}x` }, 'Cannot read name'] as const,
    ),
    ['a network with bits after its prefix', { allowedCidrs: ['203.0.113.9/24'] }, 'write 203.0.113.0/24'],
    ['an address with a zone', { allowedCidrs: ['fe80::1%eth0'] }, 'not an IPv4 or IPv6'],
    ['a prefix that is too long', { allowedCidrs: ['203.0.113.0/33'] }, 'not an IPv4 or IPv6'],
    ['no network', { allowedCidrs: [] }, 'allowedCidrs'],
    ['101 networks', { allowedCidrs: tooMany }, 'allowedCidrs'],
  ] as const)('error: a key cannot be created with %s', async (_, fields, reason) => {
    await expect(admin.issueWith(fields)).rejects.toThrow(reason)
  })

  it('names of all languages and emoji are accepted', async () => {
    for (const name of ['متجر', 'می\u200cخواهم', 'חנות', 'दुकान', '店', '👩\u200d💻', 'Café'])
      expect(await admin.issueWith({ name })).toMatchObject({ name })
  })

  describe('the key of the request', () => {
    it('keys.self returns the restrictions and limits of the key, and no personal data', async () => {
      const limits = { requests: 100, windowSeconds: 60, burstPerSecond: 50, monthlyQuota: 1000 }
      const restrictions = {
        scopes: ['usage'],
        expiresAt: '2099-01-31T00:00:00.000Z',
        allowedCidrs: ['0.0.0.0/0', '::/0'],
      }
      const { id, key } = await admin.issueWith({ tier: 'production', limits, ...restrictions })
      const { data } = await createRestCaller({ url, apiKey: key })('keys.self', {})
      expect(data).toEqual({
        id,
        prefix: key.slice(0, 16),
        kind: 'secret',
        name: 'Shop',
        tier: 'production',
        limits,
        ...restrictions,
      })
    })
  })
})

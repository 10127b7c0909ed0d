import type { Localnet } from '@agio/localnet'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdminClient } from './stack/createAdminClient.ts'
import { adminKey, settingsFor } from './stack/settingsFor.ts'
import { startServerProcess, type ServerProcess } from './stack/startServerProcess.ts'
import { startTestLocalnet } from './stack/startTestLocalnet.ts'

let localnet: Localnet
beforeAll(async () => {
  localnet = await startTestLocalnet()
})
afterAll(() => localnet.stop())

describe.each(['Node', 'Deno'] as const)('the log of a service on %s', (runtime) => {
  let server: ServerProcess
  const password = 'PASSWORD-OF-REDIS'
  beforeAll(async () => {
    // Redis is absent: the log lines about it must not contain its password either.
    const redisUrl = `redis://:${password}@127.0.0.1:1`
    server = await startServerProcess(settingsFor(localnet, { logLevel: 'trace', metricsPort: 0, redisUrl }), runtime)
  })
  afterAll(() => server.stop())

  const find = (requestId: string) =>
    server.lines.filter((line) => line.includes(requestId)).map((line) => JSON.parse(line) as Record<string, unknown>)

  async function send(path: string, headers: Record<string, string>): Promise<string> {
    return (await sendAndRead(path, headers)).requestId
  }

  async function sendAndRead(path: string, headers: Record<string, string>) {
    const requestId = crypto.randomUUID()
    const { statusCode, body } = await request(`${server.url}${path}`, {
      headers: { ...headers, 'x-request-id': requestId },
    })
    await body.dump()
    return { requestId, status: statusCode }
  }

  it('the log has key, operation, status and duration of each request', async () => {
    const { id, key } = await createAdminClient(server.url).issue()
    let requestId = ''
    // On a busy machine, the first state read after a start may time out.
    await expect
      .poll(async () => {
        const sent = await sendAndRead('/api/v1/pools?page=1', { 'x-api-key': key })
        requestId = sent.requestId
        return sent.status
      })
      .toBe(200)
    await expect.poll(() => find(requestId)).toHaveLength(1)
    expect(find(requestId)[0]).toMatchObject({
      requestId,
      keyId: id,
      operation: 'pools.list',
      method: 'GET',
      path: '/api/v1/pools',
      status: 200,
      ms: expect.any(Number),
    })
    const batch = await send('/trpc/pools.list,none?batch=1&input=%7B%7D', { 'x-api-key': key })
    await expect.poll(() => find(batch)[0]).toMatchObject({ keyId: id, operation: 'pools.list,unknown', status: 207 })
    const unauthenticated = await send('/api/v1/pools', { 'x-api-key': 'GUESSED-SECRET' })
    await expect.poll(() => find(unauthenticated)[0]).toMatchObject({ operation: 'pools.list', status: 401 })
    expect(find(unauthenticated)[0]).not.toHaveProperty('keyId')
  })

  it('the log contains no secret, neither valid nor rotated, revoked, guessed or misplaced', async () => {
    const admin = createAdminClient(server.url)
    const { id, key } = await admin.issue()
    const rotated = await admin.rotate(id)
    await send('/api/v1/pools', { 'x-api-key': key })
    await send('/api/v1/pools', { 'x-api-key': rotated.key })
    await send(`/api/v1/pools?key=${key}`, { 'x-api-key': key })
    await admin.revoke(id)
    await send('/api/v1/pools', { 'x-api-key': key })
    await send('/api/v1/pools', { 'x-api-key': 'GUESSED-SECRET' })
    await send('/api/v1/admin/stats', { 'x-admin-key': 'GUESSED-ADMIN-SECRET' })
    const last = await send('/api/v1/admin/stats', { 'x-admin-key': adminKey })
    await expect.poll(() => find(last)).toHaveLength(1)
    const log = server.lines.join('\n')
    for (const secret of [key, rotated.key, 'GUESSED-SECRET', 'GUESSED-ADMIN-SECRET', adminKey, password]) {
      expect(log).not.toContain(secret)
    }
    expect(log, 'the log reports that Redis is unavailable').toContain('Redis is unavailable')
  })

  it('the log has one line per entry, whatever a header contains', async () => {
    const before = server.lines.length
    const forged = '{"level":30,"msg":"forged"}'
    // HTTP rejects line breaks; no other character may break a line of the log either.
    const headers = { 'x-api-key': `a\t${forged}`, 'x-forwarded-for': `1.2.3.4, ${forged}`, 'user-agent': forged }
    const response = await request(`${server.url}/api/v1/pools`, { headers: { ...headers, 'x-request-id': forged } })
    await response.body.dump()
    expect(response.headers['x-request-id']).toMatch(/^[\w-]{36}$/)
    await send(`/api/v1/%0a${encodeURIComponent(forged)}`, {})
    await expect.poll(() => server.lines.length).toBeGreaterThanOrEqual(before + 2)
    for (const line of server.lines.slice(before)) {
      expect(JSON.parse(line)).not.toMatchObject({ msg: 'forged' })
    }
  })
})

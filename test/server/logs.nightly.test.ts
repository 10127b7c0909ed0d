import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { adminKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startCollector } from '../traces/startCollector.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'

const localnet = setUp(() => startTestLocalnet({ onDisk: true }))

describe.each(['Node', 'Deno'] as const)('the log of a service on %s', (runtime) => {
  const password = 'PASSWORD-OF-REDIS'
  const collector = setUp(startCollector)
  const server = setUp(() => {
    // Redis is absent: the log lines about it must not contain its password either.
    const redisUrl = `redis://:${password}@127.0.0.1:1`
    const logs = { logLevel: 'trace', logAddress: 'hash', metricsPort: 0 } as const
    const traces = { traceEndpoint: collector.url, traceShare: 1, webhookTargets: 'off' } as const
    return startServerProcess(settingsFor(localnet, { redisUrl, ...logs, ...traces }), runtime)
  })

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
    const called = crypto.randomUUID()
    const agent = await request(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'x-request-id': called },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_networks"}}',
    })
    await agent.body.dump()
    await expect.poll(() => find(called)[0]).toMatchObject({ keyId: id, operation: 'mcp.listNetworks' })
    const unauthenticated = await send('/api/v1/pools', { 'x-api-key': 'GUESSED-SECRET' })
    await expect.poll(() => find(unauthenticated)[0]).toMatchObject({ operation: 'pools.list', status: 401 })
    expect(find(unauthenticated)[0]).not.toHaveProperty('keyId')
  })

  it('the log has the trace of a request, the nodes that answered it, and a hash of the address of its client', async () => {
    const { key } = await createAdminClient(server.url).issue()
    const nonce = '/api/v1/transaction/nonce/0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const ids: string[] = []
    for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.2'])
      ids.push(await send(nonce, { 'x-api-key': key, 'x-forwarded-for': client }))
    await expect.poll(() => ids.flatMap(find)).toHaveLength(3)
    const [line, sameClient, otherClient] = ids.flatMap(find)
    expect(line).toMatchObject({ operation: 'transaction.nonce', status: 200, nodes: [1] })
    expect(line?.['address']).toMatch(/^[\da-f]{16}$/)
    expect(sameClient?.['address']).toBe(line?.['address'])
    expect(otherClient?.['address']).not.toBe(line?.['address'])
    const traceId = line?.['traceId']
    expect(traceId).toMatch(/^[\da-f]{32}$/)
    const names = () => collector.spans.filter((span) => span.traceId === traceId).map(({ name }) => name)
    await expect
      .poll(names, eventually)
      .toEqual(expect.arrayContaining(['transaction.nonce', 'node eth_getTransactionCount']))
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
    await send('/api/v1/pools', { authorization: 'Bearer GUESSED-TOKEN' })
    await send('/api/v1/admin/stats', { 'x-admin-key': 'GUESSED-ADMIN-SECRET' })
    const last = await send('/api/v1/admin/stats', { 'x-admin-key': adminKey })
    await expect.poll(() => find(last)).toHaveLength(1)
    expect(find(last)[0]).toMatchObject({ operator: 'admin' })
    const log = server.lines.join('\n')
    const guessed = ['GUESSED-SECRET', 'GUESSED-TOKEN', 'GUESSED-ADMIN-SECRET']
    for (const secret of [key, rotated.key, ...guessed, adminKey, password]) {
      expect(log).not.toContain(secret)
    }
    expect(log, 'the log reports that Redis is unavailable').toContain('Redis is unavailable')
  })

  it('neither the log nor a refusal contains a quote or a signature, even if one is in a URL', async () => {
    const { key } = await createAdminClient(server.url).issue()
    const { tAUD: tokenIn, tUSD: tokenOut } = localnet.chains[84532].tokens
    const userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const post = async (path: string, body: unknown) => {
      const sent = await request(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: sent.statusCode, text: await sent.body.text() }
    }
    const quoted = await post('/api/v1/convert/quote', { tokenIn, tokenOut, amountIn: '1' })
    const { quote } = (JSON.parse(quoted.text) as { readonly data: { readonly quote: string } }).data
    const signature = `0x${'c0ffee00'.repeat(16)}1b`
    const permit = { kind: 'permit', deadline: 4_102_444_800, signature }
    const conversion = { tokenIn, tokenOut, amountIn: '1', minAmountOut: '0.1', userAddress }
    const build = '/api/v1/transaction/build/convert'
    const inUrl = (input: object) => encodeURIComponent(JSON.stringify(input))
    const byUrl = async (query: string) => {
      const sent = await request(`${server.url}/trpc/transaction.buildConvert?${query}`, { headers })
      return { status: sent.statusCode, text: await sent.body.text() }
    }
    const outcomes = [
      await post(build, { ...conversion, permit }),
      await post(build, { quote, userAddress, permit }),
      await post(build, { ...conversion, permit: { ...permit, signature: `${signature}zz` } }),
      await post(build, { ...conversion, permit: signature }),
      await post(build, { quote: `${quote}A`, userAddress }),
      await post('/api/v1/approval/plan', { quote, ownerAddress: userAddress, amount: '1' }),
      await post('/trpc/transaction.buildConvert', { quote, userAddress, permit }),
      await byUrl(`input=${inUrl({ ...conversion, permit })}`),
      await byUrl(`batch=1&input=${inUrl({ 0: { quote, userAddress, permit } })}`),
    ]
    expect(outcomes.map(({ status }) => status)).toEqual([422, 422, 400, 400, 400, 400, 422, 400, 400])
    expect(outcomes.at(-1)?.text).toContain('a URL must not contain a signature')
    const last = await send('/api/v1/pools', { 'x-api-key': key })
    await expect.poll(() => find(last)).toHaveLength(1)
    for (const text of [...outcomes.map((outcome) => outcome.text), server.lines.join('\n')]) {
      for (const secret of [quote, signature]) expect(text).not.toContain(secret.slice(5, 60))
    }
  })

  it('the log has one line per entry, with any content of a header', async () => {
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

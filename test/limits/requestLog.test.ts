import { createTRPCClient, httpBatchLink, httpBatchStreamLink } from '@trpc/client'
import type { AppRouter } from '@agio/api'
import { request } from 'undici'
import { keccak256 } from 'viem'
import { describe, expect, inject, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'
import { validInputs } from '../harness/validInputs.ts'
import { openStream } from '../streams/openStream.ts'

const limits = { requests: 1000, windowSeconds: 900, burstPerSecond: 1000, monthlyQuota: 1000 }

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly operation: string }

describe.each(inject('runtimes'))('the request log on $name', ({ url, chains }) => {
  const admin = createAdminClient(url)
  const chain = chains[84532]
  const inputs = validInputs(chain)
  const tooMuch = { ...inputs['convert.preview'], amountIn: '900000000' }

  async function issue(changes: Partial<typeof limits> = {}) {
    const { id, key } = await admin.issue({ ...limits, ...changes })
    const [rest, trpc] = [createRestCaller({ url, apiKey: key }), createTrpcCaller({ url, apiKey: key })]
    const list = async (filter: object = {}) => toRows((await rest('usage.requests', { ...filter })).data)
    /** Lists the calls besides the calls that list the log. */
    const listOthers = async () => (await list()).filter(({ operation }) => operation !== 'usage.requests')
    return { id, key, rest, trpc, list, listOthers }
  }
  async function listAsOperator(filter: Record<string, string>): Promise<readonly Row[]> {
    const query = new URLSearchParams(filter).toString()
    const response = await request(`${url}/api/v1/admin/requests?${query}`, { headers: { 'x-admin-key': adminKey } })
    return toRows(((await response.body.json()) as { readonly data: object }).data)
  }

  it('a refused call is logged with its code, its redacted input and the nearest input that works', async () => {
    const { id, rest, list } = await issue()
    const { failure } = await rest('convert.preview', tooMuch)
    const [row] = await list({ operation: 'convert.preview' })
    expect(row).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      requestId: failure?.['requestId'],
      operation: 'convert.preview',
      status: 422,
      code: 'svc/above-max-origin',
      durationMs: { total: expect.any(Number), edge: expect.any(Number), queue: 0, node: 0 },
      nodeRequests: 0,
      input: tooMuch,
      nearestInput: { amountIn: failure?.['maxAmountIn'] },
    })
    expect(Math.abs(Date.parse(String(row?.['at'])) - Date.now())).toBeLessThan(60_000)
    expect(await listAsOperator({ requestId: String(failure?.['requestId']) })).toEqual([{ ...row, keyId: id }])
    const convertNearest = async () => {
      const { failure: newest } = await rest('convert.preview', tooMuch)
      return (await rest('convert.preview', { ...tooMuch, amountIn: newest?.['maxAmountIn'] })).status
    }
    // Other tests convert over the same pool, also between two requests.
    await expect.poll(convertNearest, eventually).toBe(200)
  })

  it('a call that reads nodes is logged with the number and the time of its reads', async () => {
    const { rest, trpc, listOthers } = await issue()
    await rest('transaction.buildConvert', inputs['transaction.buildConvert'])
    await trpc('transaction.nonce', inputs['transaction.nonce'])
    const rows = await listOthers()
    for (const row of rows) {
      const { total, edge, queue, node } = row['durationMs'] as Record<string, number>
      expect(node).toBeGreaterThan(0)
      expect((edge ?? 0) + (queue ?? 0) + (node ?? 0)).toBeCloseTo(total ?? 0, 1)
      expect(row['nodeRequests']).toBeGreaterThan(0)
    }
    expect(rows).toHaveLength(2)
  })

  it('a refusal by a limit is logged without its input, once for each call of a batch', async () => {
    const { id, trpc } = await issue({ requests: 2 })
    await trpc('pools.list', {})
    await Promise.all([trpc('pools.list', {}), trpc('convert.preview', inputs['convert.preview'])])
    const rows = await listAsOperator({ keyId: id, status: '429' })
    const refused = { status: 429, code: 'svc/rate-limited' }
    expect(rows.toSorted(byOperation)).toMatchObject([
      { operation: 'convert.preview', ...refused },
      { operation: 'pools.list', ...refused },
    ])
    expect(rows.flatMap(({ input }) => input ?? [])).toEqual([])
    expect(new Set(rows.map(({ requestId }) => requestId)).size).toBe(1)
  })

  it.each([
    ['httpBatchLink', httpBatchLink],
    ['httpBatchStreamLink', httpBatchStreamLink],
  ] as const)('each call of a batch by %s is logged with its own outcome', async (_, link) => {
    const { key, listOthers } = await issue()
    const client = createTRPCClient<AppRouter>({ links: [link({ url: `${url}/trpc`, headers: { 'x-api-key': key } })] })
    await Promise.allSettled([
      client.convert.preview.query(tooMuch),
      client.convert.preview.query(inputs['convert.preview']),
      client.chains.list.query(),
    ])
    await expect.poll(async () => (await listOthers()).length, eventually).toBe(3)
    const rows = await listOthers()
    expect(rows.toSorted(byOperation)).toMatchObject([
      { operation: 'chains.list', status: 200 },
      { operation: 'convert.preview', status: 200, input: inputs['convert.preview'] },
      { operation: 'convert.preview', status: 422, code: 'svc/above-max-origin', input: tooMuch },
    ])
  })

  it('a broadcast is logged by the hash of its transaction, with the code of its failure, and without the transaction', async () => {
    const { id, rest, list } = await issue()
    const wallet = await createWallet(chain)
    const { data } = await rest('transaction.buildConvert', {
      ...inputs['transaction.buildConvert'],
      userAddress: wallet.address,
    })
    const unsigned = { gasLimit: '300000', ...data } as unknown as Unsigned
    const signedTransaction = await wallet.sign(rest, unsigned)
    for (const chainId of [84532, 421614]) await rest('transaction.broadcast', { chainId, signedTransaction })
    const hash = keccak256(signedTransaction)
    const common = { operation: 'transaction.broadcast', transactionHash: hash }
    const code = expect.stringMatching(/^svc\/insufficient/)
    const rows = await list({ transactionHash: hash })
    expect(rows).toMatchObject([
      { ...common, status: 400, code: 'svc/wrong-chain', input: { chainId: 421614, signedTransaction: '[redacted]' } },
      { ...common, status: 200, code, input: { chainId: 84532, signedTransaction: '[redacted]' } },
    ])
    const broadcasts = await listAsOperator({ transactionHash: hash, operation: 'transaction.broadcast' })
    expect(broadcasts).toMatchObject([{ keyId: id }, { keyId: id }])
  })

  it('a stream is logged when it opens, and a HEAD request like its GET request', async () => {
    const { key, listOthers } = await issue()
    await using stream = await openStream(url, { topics: [{ topic: 'health' }], apiKey: key })
    expect(stream.response.status).toBe(200)
    await fetch(`${url}/api/v1/chains`, { method: 'HEAD', headers: { 'x-api-key': key } })
    await fetch(`${url}/api/v1/unknown`, { headers: { 'x-api-key': key } })
    const rows = await listOthers()
    expect(rows.map(({ operation, status, input }) => [operation, status, input])).toEqual([
      ['unknown', 404, undefined],
      ['chains.list', 200, {}],
      ['stream.watch', 200, { topics: [{ topic: 'health' }] }],
    ])
  })

  it('requests of a key are listed by time, in pages, and no key sees the requests of another', async () => {
    const [one, other] = [await issue(), await issue()]
    const { data } = await one.rest('chains.list', {})
    expect(data).toBeDefined()
    await one.rest('pools.list', { chainId: 84532, limit: 1 })
    const [newest, oldest] = await one.listOthers()
    expect(await other.listOthers()).toEqual([])
    expect(await other.list({ requestId: String(newest?.['requestId']) })).toEqual([])
    expect(await one.list({ before: newest?.id, limit: 1 })).toEqual([oldest])
    const from = String(oldest?.['at'])
    const hour = { from, to: new Date(Date.parse(from) + 3_600_000).toISOString(), operation: 'chains.list' }
    expect(await one.list(hour)).toEqual([oldest])
    expect(await one.list({ ...hour, from: undefined, to: from })).toEqual([])
    expect(await one.list({ operation: 'pools.list', status: 200 })).toEqual([newest])
    expect(await one.list({ code: 'svc/no-route' })).toEqual([])
  })

  it('a request of a revoked key is logged, and no row names a key that the service does not know', async () => {
    const { id, key } = await issue()
    await admin.revoke(id)
    const requestId = `revoked-${crypto.randomUUID()}`
    const headers = { 'x-request-id': requestId, 'x-forwarded-for': '10.7.7.7' }
    for (const apiKey of [key, 'unknown', '']) {
      await fetch(`${url}/api/v1/chains`, { headers: { ...headers, ...(apiKey !== '' && { 'x-api-key': apiKey }) } })
    }
    expect(await listAsOperator({ requestId })).toMatchObject([{ keyId: id, code: 'svc/key-revoked' }])
  })

  it('at most ten successful reads of a key per second are logged, and the metrics count the others', async () => {
    const { rest, listOthers } = await issue()
    const count = async () => {
      const { body } = await request(`${url}/metrics`, { headers: { 'x-admin-key': adminKey } })
      return Number(/^agio_request_log_dropped_total\{reason="sampled"\} (\d+)$/m.exec(await body.text())?.[1])
    }
    const before = await count()
    const startedMs = Date.now()
    await Promise.all(Array.from({ length: 100 }, () => rest('chains.list', {})))
    const seconds = Math.floor(Date.now() / 1000) - Math.floor(startedMs / 1000) + 1
    const { length } = await listOthers()
    expect(length).toBeGreaterThanOrEqual(10)
    expect(length).toBeLessThanOrEqual(10 * seconds)
    expect(await count()).toBeGreaterThanOrEqual(before + 100 - length)
  })

  it('error: the log refuses a malformed filter', async () => {
    const { rest } = await issue()
    for (const [field, value] of [
      ['from', '2026-13-01T00:00Z'],
      ['to', 'yesterday'],
      ['status', 42],
      ['code', 'svc/unheard-of'],
      ['before', 'x'],
      ['limit', 1001],
    ] as const) {
      const failure = { code: 'svc/invalid-request', field }
      expect(await rest('usage.requests', { [field]: value })).toMatchObject({ status: 400, failure })
    }
  })
})

function toRows(data: object | undefined): readonly Row[] {
  return (data as { readonly requests: readonly Row[] }).requests
}

function byOperation(a: Row, b: Row): number {
  return a.operation.localeCompare(b.operation) || Number(a['status']) - Number(b['status'])
}

import { createClient } from '@redis/client'
import { request } from 'undici'
import { keccak256 } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { advanceClock } from '../harness/advanceClock.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet } from '../harness/createWallet.ts'
import { describeWith } from '../harness/findServices.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { setUp } from '../harness/setUp.ts'
import { startAgio } from '../harness/startAgio.ts'
import { startRedis } from '../harness/startRedis.ts'
import { eventually } from '../harness/timeLimits.ts'
import { validInputs } from '../harness/validInputs.ts'
import { openStream } from '../streams/openStream.ts'
import { startReceiver } from '../webhooks/startReceiver.ts'

const describeRedis = await describeWith(['Redis binary'], 'budgets of node requests')

// 2 x 100 x 45 for calls, and 5 x (200 x 14 + 1200 x 11) for streams and webhooks.
const limit = 89_000
const forPolls = 80_000
const windowMs = 600_000

describeRedis('the budget of node requests of a key', () => {
  const redis = setUp(startRedis)
  const stack = setUp(() => startAgio({ redisUrl: redis.url, ownDatabase: true, webhookTargets: 'local' }))
  let counters: Awaited<ReturnType<typeof connect>>
  let owner: Owner
  const connect = () => createClient({ url: redis.url }).connect()

  beforeAll(async () => {
    counters = await connect()
    owner = connectOwner(stack.localnet.chains[84532])
    await vi.waitUntil(() => stack.readHealth().limits === 'shared', eventually)
  })
  afterAll(() => {
    counters?.destroy()
    vi.restoreAllMocks()
  })

  /** Uses node requests of a key, in a window that ends after a time. */
  async function use({ id }: { readonly id: string }, count: number, endsInMs = windowMs): Promise<void> {
    await counters.set(`agio:{key:${id}}:nodes`, count, { PX: endsInMs })
  }
  async function readMetrics(): Promise<string> {
    return await (await request(`${stack.url}/metrics`, { headers: { 'x-admin-key': adminKey } })).body.text()
  }
  async function call(operation: string, key: string) {
    const { chains } = stack.localnet
    const inputs = validInputs(chains[84532]) as Record<string, object>
    return await createRestCaller({ url: stack.url, apiKey: key })(operation, { ...inputs[operation] })
  }
  async function readLimits(key: string) {
    const response = await request(`${stack.url}/api/v1/usage`, { headers: { 'x-api-key': key } })
    const { data } = (await response.body.json()) as { data: { nodeRequests: { used: number } } }
    return { headers: response.headers, nodeRequests: data.nodeRequests }
  }
  async function listCalls(key: string) {
    const { data } = await createRestCaller({ url: stack.url, apiKey: key })('usage.requests', {})
    return data?.['requests'] as readonly { readonly nodeRequests: number }[]
  }
  async function signTransfer() {
    const wallet = await createWallet(stack.localnet.chains[84532])
    const transfer = { to: wallet.address, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' } as const
    const serializedTransaction = await wallet.sign(stack.callers.REST, transfer)
    return { transactionHash: keccak256(serializedTransaction), serializedTransaction, from: wallet.address }
  }

  it('a call is charged what its request log says once it has ended, a preview nothing, and headers, usage and metrics report it', async () => {
    const { key } = await createAdminClient(stack.url).issue()
    await call('convert.preview', key)
    const before = await readLimits(key)
    expect(before.headers['ratelimit-policy']).toBe('"standard";q=100;w=900, "burst";q=10;w=1, "nodes";q=89000;w=900')
    expect(before.headers['ratelimit']).toMatch(/, "nodes";r=89000;t=900$/)
    expect(before.nodeRequests).toEqual({ limit, windowSeconds: 900, used: 0, resetSeconds: 900 })
    await call('transaction.buildConvert', key)
    await call('transaction.nonce', key)
    const sent = (await listCalls(key)).reduce((total, { nodeRequests }) => total + nodeRequests, 0)
    expect(sent).toBeGreaterThan(1)
    await expect.poll(async () => (await readLimits(key)).nodeRequests.used, eventually).toBe(sent)
    const after = await readLimits(key)
    expect(after.headers['ratelimit']).toContain(`, "nodes";r=${limit - sent};t=`)
    const metrics = await readMetrics()
    expect(metrics).toContain('agio_node_requests_total{operation="transaction.nonce",outcome="admitted"} ')
    expect(metrics).not.toContain('operation="convert.preview",outcome')
  })

  it('a call that reads nodes after the budget is used up is 429 with the reason, and neither other calls nor other keys are refused', async () => {
    const [issued, other] = [await createAdminClient(stack.url).issue(), await createAdminClient(stack.url).issue()]
    await use(issued, limit - 1)
    // The budget may be exceeded by what is in flight.
    expect((await call('transaction.buildConvert', issued.key)).status).toBe(200)
    const readRateLimit = async () => String((await readLimits(issued.key)).headers['ratelimit'])
    await expect.poll(readRateLimit, eventually).toMatch(/, "nodes";r=0;t=\d+$/)
    const { status, failure } = await call('transaction.buildConvert', issued.key)
    expect([status, failure?.code]).toEqual([429, 'svc/rate-limited'])
    expect(failure?.error).toContain('budget of 89000 node requests per 900 seconds used up')
    expect(failure?.['retryAfterSeconds']).toBeGreaterThan(300)
    expect((await call('convert.preview', issued.key)).status).toBe(200)
    expect((await call('transaction.buildConvert', other.key)).status).toBe(200)
  })

  it('while streams and webhooks have used up their part, calls are admitted and other keys are observed', async () => {
    const [issued, other] = [await createAdminClient(stack.url).issue(), await createAdminClient(stack.url).issue()]
    await use(issued, forPolls)
    const topics = [{ topic: 'transaction', transactionHash: `0x${'ab'.repeat(32)}` }]
    await using refused = await openStream(stack.url, { topics, apiKey: issued.key })
    await using polled = await openStream(stack.url, { topics, apiKey: other.key })
    const { data } = await refused.waitFor((event) => 'error' in event.data)
    expect(data).toMatchObject({
      error: { code: 'svc/rate-limited', retryable: true, retryAfterSeconds: expect.toSatisfy(isOfWindow) },
    })
    expect(JSON.stringify(data)).toContain(
      'budget of 80000 node requests per 900 seconds for streams and webhooks used up',
    )
    expect((await polled.waitFor((event) => 'error' in event.data)).data).toMatchObject({
      error: { code: 'svc/transaction-not-found' },
    })
    expect((await call('transaction.buildConvert', issued.key)).status).toBe(200)
    expect((await readLimits(other.key)).nodeRequests.used).toBeGreaterThanOrEqual(5)
  })

  it('a topic whose key has used up its budget says so, and sends every transition once the window ends', async () => {
    const issued = await createAdminClient(stack.url).issue()
    const { transactionHash, serializedTransaction, from } = await signTransfer()
    await using stream = await openStream(stack.url, {
      topics: [{ topic: 'transaction', transactionHash, from, nonce: 0 }],
      apiKey: issued.key,
    })
    await stream.waitFor(({ data }) => data['status'] === 'pending')
    await use(issued, limit)
    await owner.client.sendRawTransaction({ serializedTransaction })
    await stream.waitFor(({ data }) => codeOf(data) === 'svc/rate-limited')
    await counters.del(`agio:{key:${issued.id}}:nodes`)
    advanceClock(windowMs)
    await stream.waitFor(({ data }) => data['status'] === 'finalized')
    const received = stream.events.map(({ data }) => codeOf(data) ?? data['status'])
    expect(received).toEqual(['pending', 'svc/rate-limited', 'included', 'safe', 'finalized'])
  })

  it('a webhook whose key had used up its budget gets its events once the window ends', async () => {
    await using receiver = await startReceiver()
    const issued = await createAdminClient(stack.url).issue()
    const callOwn = createRestCaller({ url: stack.url, apiKey: issued.key })
    const { transactionHash, serializedTransaction, from } = await signTransfer()
    await callOwn('webhooks.create', { url: receiver.url })
    const useUp = () => use(issued, forPolls, 3000)
    await useUp()
    expect((await callOwn('webhooks.watch', { transactionHash, from, nonce: 0 })).status).toBe(200)
    await owner.client.sendRawTransaction({ serializedTransaction })
    const refused = 'agio_node_requests_total{operation="webhooks.look",outcome="refused"} '
    // The window is renewed until it has refused a poll, however long that takes.
    await expect.poll(async () => useUp().then(readMetrics), eventually).toContain(refused)
    await expect.poll(() => receiver.types(), eventually).toContain('transaction.finalized')
  })
})

/** The window of ten minutes began some seconds before. */
const isOfWindow = (seconds: number) => seconds > 300 && seconds <= 600

function codeOf(data: Readonly<Record<string, unknown>>): unknown {
  return (data['error'] as { readonly code: string } | undefined)?.code
}

import { createClient } from '@redis/client'
import { Tier } from '@agio/core'
import { privateKeyToAddress, generatePrivateKey } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { advanceClock } from '../harness/advanceClock.ts'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { describeWith } from '../harness/findServices.ts'
import { setPrice } from '../harness/movePrice.ts'
import { setUp } from '../harness/setUp.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { startForeignStack } from '../harness/startForeignStack.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { startRedis } from '../harness/startRedis.ts'
import { eventually } from '../harness/timeLimits.ts'
import { openStream } from './openStream.ts'

const describeRedis = await describeWith(['Redis binary'], 'budgets of node requests of quote topics')

// The node requests for which a quote is charged.
const cost = 4
const { limit, reserved } = Tier.toNodeBudget(Tier.findLimits('standard') ?? fail())
// The polls that a key has at once, and how many it gains per second.
const [burst, perSecond] = [20, 2]
// A key may make ten calls per second.
const usagePolls = { ...eventually, interval: 200 }

describeRedis('the node requests of quote topics', () => {
  const redis = setUp(() => startRedis())
  const stack = setUp(() => startProxiedStack({ redisUrl: redis.url, ownDatabase: true }))
  let counters: Awaited<ReturnType<typeof connect>>
  const connect = () => createClient({ url: redis.url }).connect()

  beforeAll(async () => {
    counters = await connect()
    await vi.waitUntil(() => stack.readHealth().limits === 'shared', eventually)
  })
  afterEach(() => stack.proxies[84532].reset())
  afterAll(() => {
    counters?.destroy()
    vi.restoreAllMocks()
  })

  const toTopic = (fields: object) => {
    const { tokens } = stack.localnet.chains[84532]
    return { topic: 'quote', tokenIn: tokens.tAUD, tokenOut: tokens.tUSD, amountIn: '10', ...fields }
  }
  async function open(topics: readonly object[]) {
    const { key, id } = await createAdminClient(stack.url).issue()
    return { id, key, stream: await openStream(stack.url, { topics, apiKey: key }) }
  }
  /** Counts the requests to the node that contain an address. */
  const countRequests = (address: string) =>
    stack.proxies[84532].requests
      .flatMap(({ calls }) => calls)
      .filter((call) => JSON.stringify(call).includes(address.slice(2).toLowerCase())).length

  it('each quote for a wallet is charged as a call of its operation, before the nodes are asked', async () => {
    const userAddress = createAddress()
    const opened = await open([toTopic({ userAddress })])
    await using stream = opened.stream
    await stream.waitForTopic('quote')
    expect(await readUsed(stack.url, opened.key)).toBe(cost)
    expect(countRequests(userAddress)).toBeLessThanOrEqual(cost)
    await setPrice(stack.localnet.chains[84532], 'tAUD', 66_000_000n)
    await expect.poll(() => stream.events.length).toBe(2)
    expect(await readUsed(stack.url, opened.key)).toBe(2 * cost)
    expect(await readMetric('admitted')).toBeGreaterThanOrEqual(2 * cost)
  })

  it('quotes without a wallet over pools that are priced locally cost nothing', async () => {
    const opened = await open([toTopic({}), toTopic({ amountIn: undefined, amountOut: '5' })])
    await using stream = opened.stream
    await expect.poll(() => stream.events.length).toBe(2)
    await setPrice(stack.localnet.chains[84532], 'tAUD', 67_000_000n)
    await expect.poll(() => stream.events.length).toBe(4)
    expect(await readUsed(stack.url, opened.key)).toBe(0)
  })

  it('a quote that fails is charged for each attempt, and its error is sent once', async () => {
    const userAddress = createAddress()
    const part = userAddress.slice(2).toLowerCase()
    const answer = answerEachCall(stack.localnet.chains[84532].rpcUrl, async (call, callNode) =>
      JSON.stringify(call).includes(part)
        ? { id: call.id, error: { code: -32000, message: 'the node fails' } }
        : await callNode(call),
    )
    stack.proxies[84532].setAnswer(answer)
    const opened = await open([toTopic({ userAddress })])
    await using stream = opened.stream
    await expect.poll(() => readUsed(stack.url, opened.key), usagePolls).toBeGreaterThanOrEqual(3 * cost)
    expect(stream.events.map(({ data }) => codeOf(data))).toEqual(['svc/upstream-error'])
  })

  it('a topic whose key has used up its part for polls says so once, and is quoted once the window ends', async () => {
    const { key, id } = await createAdminClient(stack.url).issue()
    const [used, windowMs] = [`agio:{key:${id}}:nodes`, 600_000]
    await counters.set(used, limit - reserved, { PX: windowMs })
    const [userAddress, free] = [createAddress(), toTopic({ amountIn: '20' })]
    const topics = [toTopic({ userAddress }), free]
    await using stream = await openStream(stack.url, { topics, apiKey: key })
    await stream.waitFor(({ data }) => 'error' in data)
    await stream.waitFor(({ data }) => data['index'] === 1)
    await setPrice(stack.localnet.chains[84532], 'tAUD', 68_000_000n)
    await expect.poll(() => stream.events.filter(({ data }) => data['index'] === 1).length).toBe(2)
    expect(countRequests(userAddress)).toBe(0)
    await counters.del(used)
    advanceClock(windowMs)
    await stream.waitFor(({ data }) => data['index'] === 0 && 'quote' in data)
    const events = stream.events.filter(({ data }) => data['index'] === 0)
    expect(events.map(({ data }) => codeOf(data) ?? 'quoted')).toEqual(['svc/rate-limited', 'quoted'])
    expect(await readMetric('refused')).toBeGreaterThanOrEqual(cost)
  })

  it(`the quotes for wallets of a key take their turns: ${burst} at once, and then ${perSecond} per second`, async () => {
    const { key } = await createAdminClient(stack.url).issue()
    const toTopics = () => Array.from({ length: Tier.maxTopics }, () => toTopic({ userAddress: createAddress() }))
    const openedAtMs = performance.now()
    await using first = await openStream(stack.url, { topics: toTopics(), apiKey: key })
    await using second = await openStream(stack.url, { topics: toTopics(), apiKey: key })
    const quoted = 8
    await expect.poll(() => first.events.length + second.events.length).toBeGreaterThanOrEqual(burst + quoted)
    expect(performance.now() - openedAtMs).toBeGreaterThan((1000 * (quoted - 1)) / perSecond)
  })

  async function readMetric(outcome: string): Promise<number> {
    const response = await fetch(`${stack.url}/metrics`, { headers: { 'x-admin-key': adminKey } })
    const pattern = new RegExp(
      `^agio_node_requests_total\\{operation="stream.quote",outcome="${outcome}"\\} (\\d+)$`,
      'm',
    )
    return Number(pattern.exec(await response.text())?.[1] ?? 0)
  }
})

describe('the node requests of quote topics over foreign pools', () => {
  it.each([
    [{ amountIn: '10' }, cost],
    // The input of an exact output is searched.
    [{ amountOut: '10' }, 16],
  ])(
    'a quote of %o over pools that are priced on chain is charged for its price and for its event',
    async (...example) => {
      const [amount, costEach] = example
      await using foreign = await startForeignStack()
      const { tokens } = foreign.market
      const { key } = await createAdminClient(foreign.url).issue()
      const topics = [{ topic: 'quote', tokenIn: tokens.fEUR, tokenOut: tokens.fUSD, ...amount }]
      await foreign.seen()
      await using stream = await openStream(foreign.url, { topics, apiKey: key })
      await stream.waitForTopic('quote')
      expect(await readUsed(foreign.url, key)).toBe(2 * costEach)
      // At a block that changes nothing, only the price is read.
      await foreign.owner.client.mine({ blocks: 1 })
      await expect.poll(() => readUsed(foreign.url, key), usagePolls).toBe(3 * costEach)
      expect(stream.events).toHaveLength(1)
    },
  )
})

/** Reads how many node requests of the window of a key are used. */
async function readUsed(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/usage`, { headers: { 'x-api-key': key } })
  const { data } = (await response.json()) as { readonly data: { readonly nodeRequests: { readonly used: number } } }
  return data.nodeRequests.used
}

function codeOf(data: Readonly<Record<string, unknown>>): unknown {
  return (data['error'] as { readonly code: string } | undefined)?.code
}

function createAddress(): string {
  return privateKeyToAddress(generatePrivateKey())
}

function fail(): never {
  throw new Error('Cannot run the test: the tier has no limits')
}

import { Network } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import type { Settings } from '@agio/server'
import { afterAll, beforeAll, it } from 'vitest'
import { perChain } from '../harness/networks.ts'
import { expectDocumented } from '../harness/openApi.ts'
import { validInputs } from '../harness/validInputs.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { neverAnswer } from '../harness/answers.ts'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { describeWith } from '../harness/findServices.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startPostgres, type TestPostgres } from '../harness/startPostgres.ts'
import { startProxy, type Answer, type Proxy } from '../harness/startProxy.ts'
import { startRedis, type TestRedis } from '../harness/startRedis.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { eventually } from '../harness/timeLimits.ts'

type Health = Readonly<Record<string, unknown>> & { readonly chains: readonly Readonly<Record<string, unknown>>[] }

const soon = { ...eventually, interval: 50 }

const describeAll = await describeWith(['PostgreSQL binaries', 'Redis binary'], 'the health of a running service')

// Each test has its own service. The tests mostly wait, so they run concurrently.
describeAll.concurrent('health', () => {
  const starting = new AsyncDisposableStack()
  let localnet: Localnet
  let [postgres, redis] = [] as unknown as [TestPostgres, TestRedis]
  let services: Readonly<Record<'ofNodes' | 'ofLateNode' | 'ofStorage', Watched>>

  beforeAll(async () => {
    localnet = starting.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
    ;[postgres, redis] = [starting.use(await startPostgres()), starting.use(await startRedis())]
    const storage = { databaseUrl: postgres.url, redisUrl: redis.url }
    services = {
      ofNodes: starting.use(await startWatched(localnet, { snapshotMaxAgeMs: 10_000 })),
      ofLateNode: starting.use(await startWatched(localnet, {}, neverAnswer)),
      ofStorage: starting.use(await startWatched(localnet, storage)),
    }
  })

  afterAll(async () => {
    await starting.disposeAsync()
  })

  it('health is degraded by one node that never answers and down if none answers, while requests to them wait', async ({
    expect,
  }) => {
    const { proxies, read, requestMany } = services.ofNodes
    const newest = { status: 'ok', blockNumber: expect.any(Number), blockAgeSeconds: expect.any(Number) }
    const chains = Network.chainIds.map((chainId) => ({ chainId, ...newest }))
    const whole = { status: 'ok', storage: 'ok', limits: 'local', chains }
    await expect.poll(read, soon).toMatchObject({ status: 200, body: whole })
    const blockNumber = (await read()).body.chains[0]?.['blockNumber']
    proxies[84532].setAnswer(neverAnswer)
    const order: string[] = []
    const waiting = requestMany().finally(() => order.push('requests'))
    await read().finally(() => order.push('health'))
    expect(order, 'health waits for no node').toEqual(['health'])
    const reason = 'svc/upstream-timeout'
    const degraded = { chainId: 84532, status: 'degraded', available: ['previews'], reason, blockNumber }
    const unreachable = { chainId: 84532, status: 'unreachable', available: [], reason, blockNumber }
    const ok = { status: 'ok', available: ['previews', 'transactions'] }
    const expectSoon = (status: number, body: object) => expect.poll(read, soon).toMatchObject({ status, body })
    const beside = (first: object, other: object) => perChain({ 84532: first }, other)
    await expectSoon(200, { status: 'degraded', chains: beside(degraded, ok) })
    await expectSoon(200, { status: 'degraded', chains: beside(unreachable, ok) })
    for (const proxy of Object.values(proxies)) proxy.setAnswer(neverAnswer)
    await expectSoon(200, { status: 'degraded', chains: beside(unreachable, { status: 'degraded' }) })
    const down = { status: 'down', storage: 'ok', chains: beside(unreachable, { status: 'unreachable' }) }
    await expectSoon(503, down)
    expect((await read()).retryAfter).toBe('1')
    expect(new Set(await waiting)).toEqual(new Set(['504 svc/upstream-timeout']))
    for (const proxy of Object.values(proxies)) proxy.reset()
    await expect.poll(read, soon).toMatchObject({ status: 200, body: whole })
  })

  it('health is degraded by a node that was never reached, and down if no node has a block that can be read', async ({
    expect,
  }) => {
    const { proxies, read } = services.ofLateNode
    const expectSoon = (status: number, body: object) => expect.poll(read, soon).toMatchObject({ status, body })
    await expectSoon(200, { status: 'degraded', chains: perChain<object>({ 84532: {} }, { status: 'ok' }) })
    expect((await read()).body.chains[0]).toMatchObject({ chainId: 84532, status: 'unreachable', available: [] })
    for (const chainId of Network.chainIds) proxies[chainId].setAnswer(inventBlock(localnet.chains[chainId].rpcUrl))
    await expectSoon(503, { status: 'down', storage: 'ok' })
  })

  it('health is degraded while Redis is down or hangs, and down while PostgreSQL is, also without traffic', async ({
    expect,
  }) => {
    const expectSoon = (status: number, body: object) =>
      expect.poll(services.ofStorage.read, soon).toMatchObject({ status, body })
    const whole = { status: 'ok', storage: 'ok', limits: 'shared' }
    const withoutRedis = { status: 'degraded', storage: 'ok', limits: 'unreachable' }
    const withoutPostgres = { status: 'down', storage: 'unreachable', limits: 'shared' }
    await expectSoon(200, whole)
    redis.pause()
    await expectSoon(200, withoutRedis)
    redis.resume()
    await expectSoon(200, whole)
    await redis.stop()
    await expectSoon(200, withoutRedis)
    await redis.start()
    await postgres.pause()
    await expectSoon(503, withoutPostgres)
    await postgres.resume()
    await expectSoon(200, whole)
    await postgres.stop('immediate')
    await expectSoon(503, withoutPostgres)
    await postgres.start()
    await expectSoon(200, whole)
  })
})

/**
 * Starts a service whose nodes can be made to fail, and reads its health, which must be as documented.
 *
 * @param answer the responses of the first node from the start
 */
async function startWatched(localnet: Localnet, settings: Partial<Settings> = {}, answer?: Answer) {
  await using starting = new AsyncDisposableStack()
  const proxies = {} as Record<Network.ChainId, Proxy>
  for (const chainId of Network.chainIds)
    proxies[chainId] = starting.use(await startProxy(localnet.chains[chainId].rpcUrl))
  if (answer) proxies[84532].setAnswer(answer)
  const rpcUrls = Network.map((chainId) => [proxies[chainId].url])
  const { url, stop } = await startTestServer(localnet, { ...settings, rpcUrls })
  starting.defer(stop)
  const call = createRestCaller({ url, apiKey })
  const { 'transaction.nonce': nonce } = validInputs(localnet.chains[84532])
  const running = starting.move()
  return {
    proxies,
    async read() {
      const response = await fetch(`${url}/health`)
      const body = (await response.json()) as Health
      expectDocumented('getHealth', response.status, body)
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body }
    },
    /** Returns the outcomes of fifty requests to the first chain's node. */
    async requestMany() {
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => call('transaction.nonce', nonce)))
      return outcomes.map(({ status, failure }) => `${status} ${failure?.code}`)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

type Watched = Awaited<ReturnType<typeof startWatched>>

/** Answers as a node that announces a block that it does not have. */
function inventBlock(rpcUrl: string): Answer {
  return answerEachCall(rpcUrl, async (call, callNode) => {
    const reply = await callNode(call)
    if (call.method !== 'eth_getBlockByNumber') return reply
    return { ...reply, result: { ...(reply.result as object), hash: `0x${'a1'.repeat(32)}` } }
  })
}

import process from 'node:process'
import { Network } from '@agio/core'
import type { LocalChain, Localnet } from '@agio/localnet'
import { Client, request } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller, Failure } from '../harness/Caller.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { executeQuote } from '../harness/executeQuote.ts'
import { describeWith } from '../harness/findServices.ts'
import { settingsFor } from '../harness/settingsFor.ts'
import { startRedis } from '../harness/startRedis.ts'
import { startServerProcess, startServiceIn, toEnvironment, type ServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { eventually, longTests } from '../harness/timeLimits.ts'
import { validInputs } from '../harness/validInputs.ts'
import { startReceiver, type Receiver } from '../webhooks/startReceiver.ts'
import { installRelease } from './installRelease.ts'

const roomy = { requests: 10_000_000, windowSeconds: 3600, burstPerSecond: 100_000, monthlyQuota: 10_000_000 }
const few = { requests: 10, windowSeconds: 3600, burstPerSecond: 10, monthlyQuota: 1000 }
// Each stage lasts until so many more requests have been answered, and so many conversions were made.
const requestsOfStage = 500
const conversionsOfStage = 3

const describeUpgrade = await describeWith(['PostgreSQL', 'Redis binary'], 'the upgrade from the newest release')

describeUpgrade('the newest release and this code on one database and one Redis', () => {
  let localnet: Localnet
  let release: Awaited<ReturnType<typeof installRelease>>
  beforeAll(async () => {
    release = await installRelease()
    localnet = await startTestLocalnet()
  }, longTests.wholeProgram)
  afterAll(() => localnet?.stop())

  type Version = 'the release' | 'this code'
  type Shared = { readonly databaseUrl: string; readonly redisUrl: string }

  async function start(version: Version, shared: Shared): Promise<ServerProcess> {
    const settings = settingsFor(localnet, { ...shared, phase: 'production', webhookTargets: 'local' })
    if (version === 'this code') return await startServerProcess(settings, 'Node')
    // The release does not know the roles that were added since.
    const environment = { ...toEnvironment(settings), ADMIN_KEYS: '', CONSOLE: 'off' }
    return await startServiceIn(release.folder, [process.execPath, 'packages/server/src/node.ts'], environment)
  }

  it.each([
    ['the release', 'this code'],
    ['this code', 'the release'],
  ] as const)(
    '%s serves first, %s joins and stays: no request is refused, no call, conversion or webhook event is lost or counted twice',
    async (older, newer) => {
      await using database = await createDatabase()
      await using redis = await startRedis()
      const shared = { databaseUrl: database.url, redisUrl: redis.url }
      await using first = await start(older, shared)
      const { id, key } = await createAdminClient(first.url).issue(roomy)
      await using receiver = await startReceiver()
      const customer = await createAdminClient(first.url).issue(roomy)
      await createPlainCaller(first.url, customer.key)('webhooks', { url: receiver.url })
      const chain = localnet.chains[Network.defaultChainId]
      const load = startLoad(key, chain)
      const conversions = startConversions(customer.key, chain, first.url)
      const stage = async () => {
        const until = load.sent() + requestsOfStage
        await expect.poll(() => load.sent()).toBeGreaterThanOrEqual(until)
        const made = conversions.hashes().length + conversionsOfStage
        await expect.poll(() => conversions.hashes().length, eventually).toBeGreaterThanOrEqual(made)
      }
      load.add(first.url)
      await stage()
      await using second = await start(newer, shared)
      load.add(second.url)
      conversions.add(second.url)
      await stage()
      for (const pair of [
        [first, second],
        [second, first],
      ] as const)
        await expectShared(pair)
      await Promise.all([load.remove(first.url), conversions.remove(first.url)])
      await first.stop()
      await stage()
      const outcomes = await load.end()
      expect(outcomes).toEqual({ 200: load.sent() })
      const { calls, refused } = await createAdminClient(second.url).statsOf(id)
      expect({ calls, refused }).toEqual({ calls: load.sent(), refused: 0 })
      await conversions.end()
      // One call has created the webhook.
      expect(await createAdminClient(second.url).statsOf(customer.id)).toMatchObject({
        calls: conversions.calls() + 1,
        refused: 0,
      })
      await expectDelivered(conversions.hashes(), receiver)
    },
    longTests.wholeProgram,
  )

  /**
   * Asserts that each transaction has one event of its final state, whichever version has sent or observed it. The chain finalizes
   * each block at once, so most transactions have no earlier event.
   */
  async function expectDelivered(hashes: readonly string[], receiver: Receiver): Promise<void> {
    const listFinalized = () => {
      // A message may be sent again after a restart, with the same id.
      const messages = new Map(receiver.messages.map(({ headers, body }) => [headers['webhook-id'], body]))
      const events = [...messages.values()].map((body) => JSON.parse(body) as WebhookEvent)
      const finalized = events.filter(({ type }) => type === 'transaction.finalized')
      return finalized.map(({ data }) => data.transactionHash).toSorted()
    }
    await expect.poll(() => new Set(listFinalized()).size, eventually).toBe(hashes.length)
    expect(listFinalized()).toEqual(hashes.toSorted())
  }

  /** Asserts that one service continues what another one began: keys, quotes, webhooks, limits and revocations. */
  async function expectShared([begins, continues]: readonly [ServerProcess, ServerProcess]): Promise<void> {
    const admin = createAdminClient(begins.url)
    const { id, key } = await admin.issue(roomy)
    const [call, callOther] = [begins, continues].map(({ url }) => createPlainCaller(url, key)) as [Call, Call]
    const input = validInputs(localnet.chains[Network.defaultChainId])['convert.quote']
    const { data: quoted } = await call('convert/quote', { ...input, validForSeconds: 600 })
    const built = await callOther('transaction/build/convert', {
      quote: quoted?.['quote'],
      userAddress: input.userAddress,
    })
    expect(built.status, 'a quote of the other version').toBe(200)
    const receiver = { url: 'https://shop.example/hooks', events: ['transaction.included'] }
    const { data: webhook } = await call('webhooks', receiver)
    const { data: listed } = await callOther('webhooks')
    expect(listed).toMatchObject({ webhooks: [{ id: webhook?.['id'] }] })
    const { key: limited } = await admin.issue(few)
    const callers = [begins, continues].map(({ url }) => createPlainCaller(url, limited))
    const statuses: number[] = []
    for (let index = 0; index < 12; index += 1) statuses.push((await callers[index % 2]?.('chains'))?.status ?? 0)
    expect(statuses, 'one limit for both versions').toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
    await admin.revoke(id)
    await expect.poll(async () => (await callOther('chains')).status).toBe(403)
  }
})

type WebhookEvent = { readonly type: string; readonly data: { readonly transactionHash: string } }

type Call = (path: string, body?: object) => Promise<{ status: number; data?: Readonly<Record<string, unknown>> }>

/** A caller that does not compare responses with openapi.json, which is the document of this code alone. */
function createPlainCaller(url: string, key: string): Call {
  return async (path, body) => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { data } = (await response.json()) as { data?: Readonly<Record<string, unknown>> }
    return { status: response.status, ...(data && { data }) }
  }
}

/** Sends previews and quotes by several clients to each of the services in turn, until it ends. */
function startLoad(key: string, chain: LocalChain) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const { 'convert.preview': preview, 'convert.quote': quote } = validInputs(chain)
  const bodies = [
    ['convert/preview', preview],
    ['convert/quote', quote],
  ] as const
  const services = new Map<string, Promise<void>[]>()
  const outcomes: Record<string, number> = {}
  let sent = 0
  async function send(client: Client): Promise<void> {
    const [path, input] = bodies[sent++ % bodies.length] as (typeof bodies)[number]
    const request = { method: 'POST', path: `/api/v1/${path}`, headers, body: JSON.stringify(input) } as const
    const outcome = await client.request(request).then(
      async ({ statusCode, body }) => {
        const { code } = (await body.json()) as { readonly code?: string }
        return [statusCode, code].filter(Boolean).join(' ')
      },
      (error: unknown) => String((error as NodeJS.ErrnoException).code ?? error),
    )
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  return {
    /** Adds a service, as a load balancer does once it is ready. */
    add(url: string): void {
      services.set(url, [])
      const clients = Array.from({ length: 4 }, async () => {
        const client = new Client(url)
        while (services.has(url)) await send(client)
        await client.close()
      })
      services.set(url, clients)
    },
    /** Removes a service, once its requests have been answered. */
    async remove(url: string): Promise<void> {
      const clients = services.get(url) ?? []
      services.delete(url)
      await Promise.all(clients)
    },
    sent: () => sent,
    /** Returns the number of requests by outcome. */
    async end(): Promise<Readonly<Record<string, number>>> {
      await Promise.all([...services.keys()].map((url) => this.remove(url)))
      return outcomes
    },
  }
}

/**
 * Converts again and again, each time by a new wallet, until it ends. Each call goes to the next service: a quote of one service is
 * built by another, and broadcast by a third.
 */
function startConversions(key: string, chain: LocalChain, url: string) {
  const urls = [url]
  const hashes: string[] = []
  const { chainId, poolAddress, tokenIn, tokenOut, amountIn } = validInputs(chain)['convert.quote']
  let calls = 0
  let calling: Promise<unknown> = Promise.resolve()
  const ending = new AbortController()
  const call: Caller = async (operation, input) => {
    const answering = callTrpc(`${urls[calls % urls.length]}/trpc/${operation}`, key, input)
    calls += 1
    calling = answering.catch(() => {})
    return await answering
  }
  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      const { sent } = await executeQuote(call, chain, { chainId, poolAddress, tokenIn, tokenOut, amountIn })
      hashes.push(String(sent['transactionHash']))
    }
  }
  let failure: unknown
  const running = run().catch((error: unknown) => (failure = error))
  return {
    /** The transactions that were broadcast. */
    hashes: (): readonly string[] => [...hashes],
    calls: () => calls,
    add: (added: string) => void urls.push(added),
    /** Removes a service, once its response has arrived. */
    async remove(removed: string): Promise<void> {
      urls.splice(urls.indexOf(removed), 1)
      await calling
    },
    /** Ends after the current conversion. @throws if a call was refused or a conversion has failed */
    async end(): Promise<void> {
      ending.abort()
      await running
      if (failure !== undefined) throw failure
    },
  }
}

/** Calls a procedure, without a comparison of the response with openapi.json, which is the document of this code alone. */
async function callTrpc(url: string, key: string, input: object): ReturnType<Caller> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await request(url, { method: 'POST', headers, body: JSON.stringify(input) })
  const { result, error } = (await response.body.json()) as Answer
  return { status: response.statusCode, data: result?.data, failure: error?.data }
}

type Answer = {
  readonly result?: { readonly data: Record<string, unknown> }
  readonly error?: { readonly data: Failure }
}

import process from 'node:process'
import { Network } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { describeWith } from '../harness/findServices.ts'
import { settingsFor } from '../harness/settingsFor.ts'
import { startRedis } from '../harness/startRedis.ts'
import { startServerProcess, startServiceIn, toEnvironment, type ServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { eventually, longTests } from '../harness/timeLimits.ts'
import { validInputs } from '../harness/validInputs.ts'
import { startReceiver, type Receiver } from '../webhooks/startReceiver.ts'
import { installRelease } from './installRelease.ts'
import { startConversions } from './startConversions.ts'
import { startLoad } from './startLoad.ts'

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

import { Network } from '@agio/core'
import { startFaultProxies } from '@agio/localnet'
import { keccak256, type Hex } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet } from '../harness/createWallet.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { setUp } from '../harness/setUp.ts'
import { settingsFor, type SettingsChanges } from '../harness/settingsFor.ts'
import { startServerProcess, type Runtime, type ServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startReceiver, status, type Receiver } from './startReceiver.ts'

const roomy = { requests: 100_000, windowSeconds: 3600, burstPerSecond: 100_000, monthlyQuota: 1_000_000 }
const order = ['transaction.pending', 'transaction.included', 'transaction.safe', 'transaction.finalized']

const localnet = setUp(() => startTestLocalnet({ blockIntervalMs: 3_600_000, onDisk: true }))
const proxies = setUp(() => startFaultProxies(localnet, { finalityBlocks: 2 }))
const mineBlock = () => connectOwner(localnet.chains[84532]).client.mine({ blocks: 1 })

const describeShared = await describeWith(['PostgreSQL'], 'webhooks of several replicas')

describe('a process that is killed, on the embedded database', () => {
  describeKilled(() => ({}))
})

describeShared('a process that is killed, on PostgreSQL', () => {
  describeKilled(async () => {
    const database = await createDatabase()
    onTestFinished(() => database[Symbol.asyncDispose]())
    return { databaseUrl: database.url }
  })
})

describeShared('two replicas', () => {
  it('two replicas deliver each event at least once and none out of order, to a receiver that fails, while one of them is killed', async () => {
    await using database = await createDatabase()
    await using receiver = await startReceiver()
    const settings = toSettings({ databaseUrl: database.url })
    const replicas = await Promise.all([start(settings), start(settings)])
    const { key } = await createAdminClient(replicas[0].url).issue(roomy)
    // Both know the webhook from now on.
    await createWebhook(replicas[0], key, receiver)
    await createWebhook(replicas[1], key, receiver, ['market.frozen'])
    // Every third attempt fails; the rest succeed, some of them late.
    let attempts = 0
    receiver.setAnswer((_, response) => {
      attempts += 1
      if (attempts % 3 === 0) response.writeHead(500).end()
      else setTimeout(() => response.writeHead(204).end(), (attempts % 5) * 20)
    })
    const hashes = await Promise.all(
      Array.from({ length: 16 }, (_, index) => broadcast(replicas[index % 2] as ServerProcess, key)),
    )
    await expect.poll(() => receiver.messages.length, eventually).toBeGreaterThan(8)
    await replicas[0].kill()
    await mineFour()
    for (const hash of hashes) await untilFinalized(receiver, hash)
    const call = createRestCaller({ url: replicas[1].url, apiKey: key })
    const { data } = await call('webhooks.list', {})
    for (const { id } of data?.['webhooks'] as readonly { id: string }[]) {
      const list = async () => (await call('webhooks.deliveries', { id, status: 'pending' })).data
      await expect.poll(list, eventually).toEqual({ deliveries: [] })
      expect((await call('webhooks.deliveries', { id, status: 'given-up' })).data).toEqual({ deliveries: [] })
    }
    for (const hash of hashes) expectOrdered(receiver, hash)
    expectRecordedOnce(receiver)
  })

  it('of two replicas, on Node and on Deno, each event is sent by one, whichever has claimed it', async () => {
    await using database = await createDatabase()
    await using receiver = await startReceiver()
    // An attempt that takes longer is repeated, also on a machine that stands still.
    const settings = toSettings({ databaseUrl: database.url, webhookTimeoutMs: 60_000 })
    const replicas = await Promise.all([start(settings), start(settings, 'Deno')])
    const { key } = await createAdminClient(replicas[0].url).issue(roomy)
    for (const replica of replicas) await createWebhook(replica, key, receiver, ['transaction.finalized'])
    const hashes = await Promise.all(
      Array.from({ length: 30 }, (_, index) => broadcast(replicas[index % 2] as ServerProcess, key)),
    )
    await mineFour()
    await expect.poll(() => receiver.messages.length, eventually).toBe(2 * hashes.length)
    const readSent = async () => await Promise.all(replicas.map(({ url }) => readDelivered(url)))
    const sum = async () => (await readSent()).reduce((total, sent) => total + sent, 0)
    await expect.poll(sum, eventually).toBe(2 * hashes.length)
    expectRecordedOnce(receiver)
  })
})

/** Declares the tests of the state that a killed process leaves behind, on one database. */
function describeKilled(locate: () => SettingsChanges | Promise<SettingsChanges>): void {
  it('a process that is killed during a delivery sends it again, with its id, before later events', async () => {
    await using receiver = await startReceiver()
    const settings = toSettings(await locate())
    const { first, hash } = await startDelivery(settings, receiver)
    await first.kill()
    receiver.setAnswer(status(204))
    await mineFour()
    await start(settings)
    await untilFinalized(receiver, hash)
    const [killed, again] = receiver.messages
    expect(again?.headers['webhook-id']).toBe(killed?.headers['webhook-id'])
    expect(again?.body).toBe(killed?.body)
    expectOrdered(receiver, hash)
    expectRecordedOnce(receiver)
  })

  it('a process that is killed at any moment after a broadcast delivers all of its events', async () => {
    await using receiver = await startReceiver()
    const settings = toSettings(await locate())
    let running = await start(settings)
    const { key } = await createAdminClient(running.url).issue(roomy)
    await createWebhook(running, key, receiver)
    const hashes: Hex[] = []
    // At once, during the first observation, and during the delivery of its events.
    for (const delayMs of [0, 300, 900]) {
      hashes.push(await broadcast(running, key))
      await mineBlock()
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await running.kill()
      running = await start(settings)
    }
    await mineFour()
    for (const hash of hashes) await untilFinalized(receiver, hash)
    for (const hash of hashes) expectOrdered(receiver, hash)
    expectRecordedOnce(receiver)
  })

  it('a process that is stopped during a delivery lets go of it, so that the next one sends it at once', async () => {
    await using receiver = await startReceiver()
    const settings = toSettings({ ...(await locate()), webhookTimeoutMs: 60_000 })
    const { first, hash } = await startDelivery(settings, receiver)
    await first.stop()
    expect(await first.exited).toBe(0)
    receiver.setAnswer(status(204))
    // Its lease would have been two minutes.
    await start(settings)
    await expect.poll(() => receiver.messages.length, eventually).toBeGreaterThan(1)
    expect(new Set(listTypes(receiver, hash)).size).toBe(1)
  })
}

type Settings = ReturnType<typeof toSettings>

function toSettings(changes: SettingsChanges) {
  return settingsFor(localnet, {
    rpcUrls: Network.map((chainId) => [proxies[chainId].url]),
    broadcastWaitMs: 200,
    logLevel: 'warn',
    webhookTargets: 'local',
    webhookTimeoutMs: 1000,
    webhookRetrySeconds: Array.from({ length: 20 }, () => 0.1),
    ...changes,
  })
}

async function start(settings: Settings, runtime: Runtime = 'Node'): Promise<ServerProcess> {
  const running = await startServerProcess(settings, runtime)
  onTestFinished(() => running[Symbol.asyncDispose]())
  return running
}

/** Starts a process that delivers the first event of a transaction to a receiver, which does not respond. */
async function startDelivery(settings: Settings, receiver: Receiver) {
  const first = await start(settings)
  const { key } = await createAdminClient(first.url).issue(roomy)
  await createWebhook(first, key, receiver)
  receiver.setAnswer(() => {})
  const hash = await broadcast(first, key)
  await expect.poll(() => receiver.messages.length, eventually).toBe(1)
  return { first, hash }
}

async function mineFour(): Promise<void> {
  for (let count = 0; count < 4; count += 1) await mineBlock()
}

async function untilFinalized(receiver: Receiver, hash: Hex): Promise<void> {
  await expect.poll(() => listTypes(receiver, hash), eventually).toContain('transaction.finalized')
}

async function createWebhook(
  { url }: ServerProcess,
  apiKey: string,
  receiver: Receiver,
  events = order,
): Promise<void> {
  const created = await createRestCaller({ url, apiKey })('webhooks.create', { url: receiver.url, events })
  expect(created).toMatchObject({ status: 200 })
}

/** Broadcasts a transfer of a new wallet. */
async function broadcast({ url }: ServerProcess, apiKey: string): Promise<Hex> {
  const call = createRestCaller({ url, apiKey })
  const wallet = await createWallet(localnet.chains[84532])
  const empty = { chainId: 84532, to: wallet.address, data: '0x', value: '1', gasLimit: '21000' } as const
  const signedTransaction = await wallet.sign(call, empty)
  expect(await call('transaction.broadcast', { signedTransaction })).toMatchObject({ status: 200 })
  return keccak256(signedTransaction)
}

function listOwn({ messages }: Receiver, hash: Hex) {
  const parsed = messages.map(({ body, headers }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { transactionHash: string } }
    return { type, hash: data.transactionHash, id: headers['webhook-id'] ?? '' }
  })
  return parsed.filter((event) => event.hash === hash)
}

function listTypes(receiver: Receiver, hash: Hex): readonly string[] {
  return listOwn(receiver, hash).map(({ type }) => type)
}

/** Asserts that the events of a transaction arrived in order: the same one may arrive twice in a row. */
function expectOrdered(receiver: Receiver, hash: Hex): void {
  const types = listTypes(receiver, hash)
  expect(types).toEqual(types.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)))
}

/** Asserts that each transition was recorded once: all its messages have one id for each webhook. */
function expectRecordedOnce(receiver: Receiver): void {
  const idsOf = Map.groupBy(receiver.messages, ({ body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { transactionHash: string } }
    return `${type} ${data.transactionHash}`
  })
  const webhooks = new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size / idsOf.size
  for (const [event, messages] of idsOf) {
    expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size, event).toBe(webhooks)
  }
}

/** The deliveries that a replica has sent, by its metrics. */
async function readDelivered(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { 'x-admin-key': 'admin-key-of-the-test-suite' } })
  const found = /^agio_webhook_attempts_total\{outcome="delivered"\} (\d+)$/m.exec(await response.text())
  return Number(found?.[1])
}

import { keccak256, type Hex } from 'viem'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { describeWith } from '../harness/findServices.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startProxy } from '../harness/startProxy.ts'
import { startPostgres } from '../harness/startPostgres.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'
import { openStream } from './openStream.ts'

const localnet = setUp(() => startTestLocalnet({ blockIntervalMs: 3_600_000, onDisk: true }))
let owner: Owner

beforeAll(async () => {
  owner = connectOwner(localnet.chains[84532])
})
afterEach(() => owner.client.setAutomine(true))

const receiver = '0x00000000000000000000000000000000000000a1'

/** Signs a transfer of a new wallet. */
async function signTransfer(): Promise<{ readonly hash: Hex; readonly signed: Hex }> {
  const wallet = await createWallet(localnet.chains[84532])
  const transfer: Unsigned = { to: receiver, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' }
  const signed = await wallet.sign(async () => ({ status: 200, data: { nonce: 0 } }), transfer)
  return { hash: keccak256(signed), signed }
}

describe.each(['Node', 'Deno'] as const)('a process on %s', (runtime) => {
  it(`a process on ${runtime} that stops ends its streams by an event that says reconnect, and exits`, async () => {
    await using server = await startServerProcess(settingsFor(localnet), runtime)
    const topics = [{ topic: 'prices' }, { topic: 'health' }]
    const streams = await Promise.all([1, 2, 3].map(() => openStream(server.url, { topics, apiKey })))
    for (const stream of streams) await stream.waitForTopic('prices')
    await server.stop()
    for (const stream of streams) {
      expect(stream.events.at(-1)).toMatchObject({ topic: 'reconnect' })
      expect(stream.isEnded()).toBe(true)
    }
    expect(server.lines.join('\n')).not.toMatch(/"level":50/)
  })
})

it.each(['Node', 'Deno'] as const)(
  'a process on %s with streams answers while its nodes are down, and its streams go on after it',
  async (runtime) => {
    await using proxy = await startProxy(localnet.chains[84532].rpcUrl)
    const settings = settingsFor(localnet, { snapshotMaxAgeMs: 1000, rpcUrls: { 84532: [proxy.url] } })
    await using server = await startServerProcess(settings, runtime)
    await using stream = await openStream(server.url, { topics: [{ topic: 'prices' }], apiKey })
    await stream.waitFor(({ data }) => 'prices' in data)
    await proxy.close()
    await stream.waitFor(({ data }) => 'error' in data)
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200)
    const { length } = stream.events
    await proxy.reopen()
    await expect.poll(() => stream.events.slice(length).some(({ data }) => 'prices' in data)).toBe(true)
  },
)

const describeReplicas = await describeWith(['PostgreSQL binaries'], 'replicas that share streams')

describeReplicas('two replicas', () => {
  const postgres = setUp(() => startPostgres())

  it('a client whose replica is killed continues at another one, and misses nothing of its transactions', async () => {
    const settings = settingsFor(localnet, { databaseUrl: postgres.url })
    await using first = await startServerProcess(settings, 'Node')
    await using second = await startServerProcess(settings, 'Deno')
    const { key } = await createAdminClient(first.url).issue()
    await owner.client.setAutomine(false)
    const transfers = await Promise.all([signTransfer(), signTransfer(), signTransfer()])
    for (const { signed } of transfers) await owner.client.sendRawTransaction({ serializedTransaction: signed })
    const topics = transfers.map(({ hash }) => ({ topic: 'transaction', transactionHash: hash }))
    const before = await openStream(first.url, { topics, apiKey: key })
    for (const index of topics.keys()) await before.waitFor(({ data }) => data['index'] === index)
    const lastEventId = before.events.at(-1)?.id
    await first.kill()
    await expect.poll(() => before.isEnded()).toBe(true)
    await owner.client.mine({ blocks: 1 })
    await using after = await openStream(second.url, { topics, apiKey: key, lastEventId })
    const statusesOf = (index: number) =>
      after.events.filter(({ data }) => data['index'] === index).map(({ data }) => data['status'])
    const all = ['included', 'safe', 'finalized']
    for (const index of topics.keys()) await expect.poll(() => statusesOf(index)).toEqual(all)
  })

  it('the streams of a key that another replica revokes end within seconds', async () => {
    const settings = settingsFor(localnet, { databaseUrl: postgres.url })
    await using first = await startServerProcess(settings, 'Node')
    await using second = await startServerProcess(settings, 'Deno')
    const admin = createAdminClient(first.url)
    const { id, key } = await admin.issue({ requests: 100, windowSeconds: 900, burstPerSecond: 50, monthlyQuota: 1000 })
    const streams = await Promise.all(
      [first, second].map(({ url }) => openStream(url, { topics: [{ topic: 'health' }], apiKey: key })),
    )
    await admin.revoke(id)
    for (const stream of streams) {
      expect((await stream.waitForTopic('end')).data).toMatchObject({ error: { code: 'svc/key-revoked' } })
    }
  })
})

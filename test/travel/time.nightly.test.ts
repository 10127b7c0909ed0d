import { pushPrices } from '@agio/localnet'
import { expect, it } from 'vitest'
import { createDatabase } from '../harness/createDatabase.ts'
import { executeQuote } from '../harness/executeQuote.ts'
import { findServices } from '../harness/findServices.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import { startAgio } from '../harness/startAgio.ts'
import { eventually } from '../harness/timeLimits.ts'
import { openStream } from '../streams/openStream.ts'
import { status } from '../webhooks/startReceiver.ts'
import { addWebhook, roomy, setUpTravel } from './setUpTravel.ts'

const travel = setUpTravel()
const { call, callLocal, createKey, pairOf } = travel

const hourMs = 3_600_000

it('a travel moves the service and both chains together, and returns the new time', async () => {
  const before = travel.stack.time.now().getTime()
  const now = (await travel.stack.time.travel('+2 hours')).getTime()
  expect(now - before).toBeGreaterThanOrEqual(2 * hourMs)
  expect(now - before).toBeLessThan(2 * hourMs + 60_000)
  const isSoonAfter = (timeMs: number) => timeMs >= before + 2 * hourMs - 1000 && timeMs <= now + 60_000
  for (const chain of Object.values(travel.stack.localnet.chains)) {
    const { timestamp } = await connectOwner(chain).client.getBlock()
    expect(isSoonAfter(Number(timestamp) * 1000)).toBe(true)
    const { data } = await call('oracle.prices', { chainId: chain.chainId })
    expect(isSoonAfter(Date.parse(String(data?.['blockTimestamp'] ?? data?.['timestamp'])))).toBe(true)
  }
  const { readHealth } = travel.stack
  expect(isSoonAfter(Date.parse(readHealth().timestamp))).toBe(true)
  await expect.poll(() => readHealth().chains, eventually).toMatchObject([{ status: 'ok' }, { status: 'ok' }])
})

it('a quote expires by a travel, for a build and on the chain', async () => {
  await travel.stack.scenarios.reset()
  const { data } = await call('convert.quote', pairOf('tAUD'))
  const wallet = await travel.stack.wallet({ tAUD: '100' })
  const build = () => call('transaction.buildConvert', { quote: data?.['quote'], userAddress: wallet.address })
  expect(await build()).toMatchObject({ status: 200 })
  await travel.stack.time.travel(new Date(Date.parse(String(data?.['expiresAt'])) + 1000))
  expect(await build()).toMatchObject({ failure: { code: 'svc/quote-expired' } })
})

it('prices become stale by a travel beyond their age, and fresh by the next push', async () => {
  await travel.stack.scenarios.reset()
  expect(await call('convert.preview', pairOf('tAUD'))).toMatchObject({ status: 200 })
  await travel.stack.time.travel('+2 hours')
  expect(await call('convert.preview', pairOf('tAUD'))).toMatchObject({ failure: { code: 'svc/stale-price' } })
  await pushPrices(travel.stack.localnet.chains[84532])
  await expect.poll(async () => (await call('convert.preview', pairOf('tAUD'))).status, eventually).toBe(200)
})

it('a market closes and opens by travels to its hours', async () => {
  for (const [change, market] of [
    ['market-close', 'closed'],
    ['market-open', 'open'],
  ] as const) {
    const time = await travel.stack.time.travel(change)
    expect([time.getUTCDay(), time.getUTCHours()]).toEqual([market === 'closed' ? 5 : 0, 17])
    await travel.stack.scenarios.reset()
    expect((await call('convert.preview', pairOf('tEUR'))).data).toMatchObject({ market })
  }
})

it('a market that a scenario has closed opens by a travel to its opening', async () => {
  const readMarket = async () => (await call('convert.preview', pairOf('tEUR'))).data?.['market']
  await travel.stack.scenarios.reset()
  await travel.stack.scenarios.run('market-closed')
  expect(await readMarket()).toBe('closed')
  expect((await travel.stack.time.travel('market-open')).toISOString()).toContain('T00:00:')
  await pushPrices(travel.stack.localnet.chains[84532])
  await expect.poll(readMarket, eventually).toBe('open')
})

it('the SDK converts after a travel, although its own clock is behind the time of the service', async () => {
  await travel.stack.time.travel('+1 day')
  await travel.stack.scenarios.reset()
  const wallet = await travel.stack.wallet({ tAUD: '100' })
  const { client } = travel.stack
  const quote = await client.quote({ ...pairOf('tAUD'), chainId: 84532 })
  expect(await client.convert({ quote, wallet })).toMatchObject({ amountIn: '10.000000' })
})

it('a used up window of calls begins again by a travel of its length', async () => {
  const { tryPreview } = await createKey({ ...roomy, requests: 2 })
  await travel.stack.scenarios.reset()
  expect([await tryPreview(), await tryPreview(), await tryPreview()]).toEqual([200, 200, 'svc/rate-limited'])
  await travel.stack.time.travel('+59 minutes')
  expect(await tryPreview()).toBe('svc/rate-limited')
  await travel.stack.time.travel('+1 minute')
  await travel.stack.scenarios.reset()
  expect(await tryPreview()).toBe(200)
})

it('a used up quota is renewed by a travel to the next month, in which usage and statistics begin at zero', async () => {
  const { id, call: callKey, tryPreview } = await createKey({ ...roomy, monthlyQuota: 2 })
  await travel.stack.scenarios.reset()
  expect([await tryPreview(), await tryPreview(), await tryPreview()]).toEqual([200, 200, 'svc/quota-exceeded'])
  const now = travel.stack.time.now()
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  const [month, nextMonth] = [now, next].map((time) => time.toISOString().slice(0, 7))
  await travel.stack.time.travel(next)
  expect(await travel.admin().stats()).toMatchObject({ month: nextMonth })
  expect(await travel.admin().statsOf(id)).toMatchObject({ calls: 0, remaining: 2 })
  await travel.stack.scenarios.reset()
  expect(await tryPreview()).toBe(200)
  expect((await callKey('usage.get', {})).data).toMatchObject({ month: nextMonth })
  const day = `${nextMonth}-01`
  expect(await travel.admin().statsOf(id)).toMatchObject({
    days: [{ day }],
    lastUsedAt: expect.stringContaining(day) as string,
  })
  expect((await travel.admin().stats(month)).keys.find((key) => key.id === id)).toMatchObject({ calls: 2, refused: 1 })
})

it('a rotated secret is refused by a travel beyond its overlap', async () => {
  const { id, tryPreview } = await createKey()
  await travel.stack.scenarios.reset()
  await travel.admin().rotate(id, 3600)
  expect(await tryPreview()).toBe(200)
  await travel.stack.time.travel('+61 minutes')
  expect(await tryPreview()).toBe('svc/key-revoked')
})

it('the cooldown of the faucet ends by a travel', async () => {
  const wallet = await createWallet(travel.stack.localnet.chains[84532])
  const { client } = connectOwner(travel.stack.localnet.chains[84532])
  const claim = async () => await call('faucet.buildClaimAll', { chainId: 84532, userAddress: wallet.address })
  const { data } = await claim()
  const serializedTransaction = await wallet.sign(travel.stack.callers.REST, data as unknown as Unsigned)
  await client.waitForTransactionReceipt({ hash: await client.sendRawTransaction({ serializedTransaction }) })
  const cooling = { failure: { code: 'svc/faucet-cooldown' } }
  await expect.poll(claim, eventually).toMatchObject(cooling)
  await travel.stack.time.travel('+1 hour')
  expect(await claim()).toMatchObject(cooling)
  await travel.stack.time.travel('+1 day')
  expect(await claim()).toMatchObject({ status: 200 })
})

it('the retry of a webhook becomes due by a travel, signed with the new time, and its delivery is deleted a week later', async () => {
  const { call: callKey } = await createKey()
  await using receiver = await addWebhook(callKey)
  // The blocks of the travels also finalize the transaction.
  const list = async () => {
    const { data } = await callKey('webhooks.deliveries', { id: receiver.id })
    const deliveries = data?.['deliveries'] as readonly { readonly type: string }[]
    return deliveries.filter(({ type }) => type === 'transaction.included')
  }
  receiver.setAnswer(status(500))
  await travel.broadcast(callKey)
  await expect.poll(list, eventually).toMatchObject([{ status: 'pending', attempts: 1 }])
  receiver.setAnswer(status(204))
  const now = await travel.stack.time.travel('+70 minutes')
  await expect.poll(list, eventually).toMatchObject([{ status: 'delivered', attempts: 2 }])
  const [first, second] = receiver.messages.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(Math.abs(Number(second) - now.getTime() / 1000)).toBeLessThan(60)
  expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(3600)
  await travel.stack.time.travel('+8 days')
  await expect.poll(list, eventually).toEqual([])
})

it('a stream stays open through a travel, and sends what it has changed', async () => {
  await travel.stack.scenarios.reset()
  await using stream = await openStream(travel.stack.url, {
    topics: [
      { topic: 'prices', chainId: 84532 },
      { topic: 'quote', ...pairOf('tAUD') },
    ],
    apiKey,
  })
  await stream.waitFor(({ topic, data }) => topic === 'quote' && data['quote'] !== undefined)
  await travel.stack.time.travel('+2 hours')
  await stream.waitFor(({ data }) => (data['error'] as { code?: string } | undefined)?.code === 'svc/stale-price')
  await travel.stack.scenarios.reset()
  const isRenewed = () => stream.events.filter(({ data }) => data['quote'] !== undefined).length > 1
  await expect.poll(isRenewed, eventually).toBe(true)
  expect(stream.isEnded()).toBe(false)
})

it('the clock can be read and moved over HTTP, with the admin key', async () => {
  const before = (await callLocal('GET', 'time')).data?.['time']
  const moved = await callLocal('POST', 'time', { to: '+1 hour' })
  expect(Date.parse(String(moved.data?.['time'])) - Date.parse(String(before))).toBeGreaterThanOrEqual(hourMs)
  expect((await fetch(`${travel.stack.url}/local/time`)).status).toBe(401)
})

it.each([
  ['to the past', { to: '2020-01-01' }],
  ['to the present', { to: '+0 seconds' }],
  ['beyond the times that clients can read', { to: '+999999 weeks' }],
  ['to no time', { to: 'tomorrow' }],
  ['without a time', {}],
  ['with another field', { to: '+1 hour', chainId: 84532 }],
])('a travel %s is refused and moves nothing', async (_, fields) => {
  const before = travel.stack.time.now().getTime()
  expect(await callLocal('POST', 'time', fields)).toEqual({ status: 400, code: 'svc/invalid-request' })
  expect(travel.stack.time.now().getTime() - before).toBeLessThan(60_000)
})

it('the fees of the local nodes are never doubted, after conversions, many empty blocks and travels', async () => {
  await travel.stack.scenarios.reset()
  const chain = travel.stack.localnet.chains[84532]
  for (const duration of ['+2 minutes', '+3 days']) {
    await executeQuote(call, chain, pairOf('tAUD'))
    await connectOwner(chain).client.mine({ blocks: 300 })
    await executeQuote(call, chain, pairOf('tAUD'))
    await travel.stack.time.travel(duration)
    await pushPrices(chain)
  }
  const metrics = await fetch(`${travel.stack.url}/metrics`, { headers: { 'x-admin-key': adminKey } })
  const counted = /^agio_chain_doubtful_answers_total\{.*subject="fees".*$/gm
  expect((await metrics.text()).match(counted)?.map((line) => line.split(' ')[1])).toEqual(['0', '0'])
})

it('a travel is refused while mining is stopped, since a block would mine the pending transactions', async () => {
  await travel.stack.scenarios.run('no-mining')
  await expect(travel.stack.time.travel('+1 hour')).rejects.toThrow('mining is stopped')
})

it('a stack whose markets never close refuses to travel to a close or an opening', async () => {
  await using other = await startAgio()
  for (const to of ['market-open', 'market-close'])
    await expect(other.time.travel(to)).rejects.toThrow(`Cannot travel to ${to}: no feed has hours`)
})

it('a service travels to the last year that clients can read, and converts there', async () => {
  await using other = await startAgio({ ownDatabase: true })
  await other.time.travel('9998-12-31')
  await other.scenarios.reset()
  const chain = other.localnet.chains[84532]
  const { sent } = await executeQuote(other.callers.REST, chain, pairOf('tAUD'))
  expect(sent).toMatchObject({ status: 'success' })
  const healthy = { status: 'ok', timestamp: expect.stringContaining('9998-12-31') as string }
  await expect.poll(other.readHealth, eventually).toMatchObject(healthy)
})

it.each([
  ['with a shared database', { ownDatabase: false }, 'other services may share its database. Give it its own database'],
  [
    'with Redis',
    { ownDatabase: true, redisUrl: 'redis://127.0.0.1:1' },
    'other processes may share the Redis server. Start the service without REDIS_URL',
  ],
])('a service %s refuses to travel and to take a snapshot, in one sentence', async (_, settings, reason) => {
  await expectRefused(settings, reason)
})

it.runIf(await findServices(['PostgreSQL'], 'the refusal to travel on PostgreSQL'))(
  'a service on PostgreSQL refuses to travel and to take a snapshot, in one sentence',
  async () => {
    await using database = await createDatabase()
    await expectRefused({ databaseUrl: database.url }, 'Start the service without DATABASE_URL')
  },
)

async function expectRefused(settings: startAgio.Options, reason: string): Promise<void> {
  await using other = await startAgio(settings)
  await expect(other.time.travel('+1 hour')).rejects.toThrow(reason)
  const headers = { 'x-admin-key': adminKey }
  const response = await fetch(`${other.url}/local/snapshots`, { method: 'POST', headers })
  expect([response.status, await response.json()]).toMatchObject([400, { error: expect.stringContaining(reason) }])
}

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { executeQuote } from '../harness/executeQuote.ts'
import { readBalance } from '../harness/readBalance.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import type { AgioStack } from '../harness/startAgio.ts'
import { eventually } from '../harness/timeLimits.ts'
import { openStream } from '../streams/openStream.ts'
import { addWebhook, roomy, setUpTravel } from './setUpTravel.ts'

const travel = setUpTravel()
const { call, callLocal, createKey, pairOf } = travel

it('a restore undoes conversions, and the service serves the restored chains at higher blocks', async () => {
  const chain = travel.stack.localnet.chains[84532]
  const { address: recipient } = await createWallet(chain)
  const preview = async () => (await call('convert.preview', pairOf('tAUD'))).data?.['amountOut']
  const readNonce = async (address: string) =>
    (await call('transaction.nonce', { address, chainId: 84532 })).data?.['nonce']
  const before = await preview()
  const snapshot = await travel.stack.snapshot()
  for (let times = 0; times < 2; times += 1) {
    const { payer, receivedRaw } = await executeQuote(call, chain, { ...pairOf('tAUD'), recipient })
    expect(receivedRaw).toBeGreaterThan(0n)
    expect(await readNonce(payer.address)).toBeGreaterThan(0)
    const newest = await connectOwner(chain).client.getBlockNumber({ cacheTime: 0 })
    await snapshot.restore()
    expect(await readBalance(chain, chain.tokens.tUSD, recipient)).toBe(0n)
    expect(await readNonce(payer.address)).toBe(0)
    expect(await preview()).toBe(before)
    expect(travel.stack.readHealth().chains[0]?.blockNumber).toBeGreaterThan(Number(newest))
  }
})

it('a restore succeeds while the node mines a block each millisecond', async () => {
  const { client } = connectOwner(travel.stack.localnet.chains[84532])
  const snapshot = await travel.stack.snapshot()
  for (let times = 0; times < 10; times += 1) {
    await client.setIntervalMining({ interval: 0.001 })
    await snapshot.restore()
  }
})

it('after a restore, a key that was created is unknown, and a key that was revoked or rotated works with its secret', async () => {
  const [kept, rotated] = [await createKey(), await createKey()]
  const snapshot = await travel.stack.snapshot()
  const created = await createKey()
  for (const key of [kept, rotated, created]) expect(await key.tryPreview()).toBe(200)
  await travel.admin().revoke(kept.id)
  await travel.admin().rotate(rotated.id, 0)
  for (const key of [kept, rotated]) expect(await key.tryPreview()).toBe('svc/key-revoked')
  await snapshot.restore()
  for (const key of [kept, rotated]) expect(await key.tryPreview()).toBe(200)
  expect(await created.tryPreview()).toBe('svc/unauthorized')
})

it('usage, quota and limits return at each restore to what they were', async () => {
  const { id, tryPreview } = await createKey({ ...roomy, requests: 3, monthlyQuota: 2 })
  expect(await tryPreview()).toBe(200)
  const totals = await readTotals()
  const snapshot = await travel.stack.snapshot()
  for (let times = 0; times < 2; times += 1) {
    expect([await tryPreview(), await tryPreview()]).toEqual([200, 'svc/quota-exceeded'])
    expect(await travel.admin().statsOf(id)).toMatchObject({ calls: 2, refused: 1, remaining: 0 })
    await snapshot.restore()
    expect(await travel.admin().statsOf(id)).toMatchObject({ calls: 1, refused: 0, remaining: 1 })
    expect(await readTotals()).toEqual(totals)
  }
  async function readTotals() {
    return (await travel.admin().stats()).totals
  }
})

it('after a restore, pauses of quotes are gone, and a secret of quotes that began to sign after a travel is unknown', async () => {
  const pair = pairOf('tAUD')
  const { address: userAddress } = await createWallet(travel.stack.localnet.chains[84532])
  const build = async (quote: unknown) => await call('transaction.buildConvert', { quote, userAddress })
  const snapshot = await travel.stack.snapshot()
  await travel.callAdmin('quotes/rotate-secret', {})
  await travel.stack.time.travel('+61 seconds')
  const { data } = await call('convert.quote', pair)
  expect(await build(data?.['quote'])).toMatchObject({ status: 200 })
  await travel.callAdmin('quotes/pause', { chainId: 84532, tokenA: pair.tokenIn, tokenB: pair.tokenOut })
  expect(await call('convert.quote', pair)).toMatchObject({ failure: { code: 'svc/quoting-paused' } })
  await snapshot.restore()
  const { data: restored } = await call('convert.quote', pair)
  expect(await build(restored?.['quote'])).toMatchObject({ status: 200 })
  expect(await build(data?.['quote'])).toMatchObject({ failure: { code: 'svc/quote-invalid' } })
})

it('after a restore, a webhook and its deliveries are gone, and a delivery in flight writes nothing', async () => {
  const { call: callKey } = await createKey()
  await using kept = await addWebhook(callKey)
  const snapshot = await travel.stack.snapshot()
  await using added = await addWebhook(callKey)
  // The receivers never answer, so that both deliveries are in flight.
  for (const receiver of [kept, added]) receiver.setAnswer(() => {})
  await travel.broadcast(callKey)
  await expect.poll(() => [kept, added].map(({ messages }) => messages.length), eventually).toEqual([1, 1])
  const listPositions = async ({ id }: typeof kept) => {
    const { data } = await callKey('webhooks.deliveries', { id })
    return (data?.['deliveries'] as readonly { readonly position: number }[]).map(({ position }) => position)
  }
  const nextPosition = Math.min(...(await listPositions(kept)), ...(await listPositions(added)))
  await snapshot.restore()
  const { data } = await callKey('webhooks.list', {})
  expect(data?.['webhooks']).toEqual([expect.objectContaining({ id: kept.id })])
  expect(data?.['webhooks']).not.toMatchObject([{ failingSince: expect.any(String) as string }])
  expect((await callKey('webhooks.deliveries', { id: kept.id })).data?.['deliveries']).toEqual([])
  expect(await callKey('webhooks.deliveries', { id: added.id })).toMatchObject({ status: 404 })
  // Deliveries continue, with the next position of the snapshot.
  kept.setAnswer((_, response) => response.writeHead(204).end())
  await travel.broadcast(callKey)
  const list = async () => (await callKey('webhooks.deliveries', { id: kept.id })).data?.['deliveries']
  await expect.poll(list, eventually).toMatchObject([{ status: 'delivered', attempts: 1, position: nextPosition }])
})

it('a restore ends open streams with reconnect, and a stream that is opened again has the restored state', async () => {
  const { call: callKey, secret } = await createKey()
  const snapshot = await travel.stack.snapshot()
  await travel.stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 5 })
  const topics = [{ topic: 'prices', chainId: 84532 }]
  const readPrice = ({ data }: { readonly data: Readonly<Record<string, unknown>> }) =>
    (data['prices'] as { tAUD?: { usd: string } } | undefined)?.tAUD?.usd
  await using stream = await openStream(travel.stack.url, { topics, apiKey: secret })
  const moved = readPrice(await stream.waitForTopic('prices'))
  await snapshot.restore()
  expect((await stream.waitForTopic('reconnect')).data).toEqual({ reason: 'The local stack was restored' })
  await expect.poll(() => stream.isEnded(), eventually).toBe(true)
  expect(await callKey('usage.get', {})).toMatchObject({ status: 200 })
  const lastEventId = stream.events.at(-1)?.id
  await using again = await openStream(travel.stack.url, { topics, apiKey: secret, lastEventId })
  expect(readPrice(await again.waitForTopic('prices'))).not.toBe(moved)
})

it('a restore removes faults, and keeps the present time with fresh prices', async () => {
  const snapshot = await travel.stack.snapshot()
  const now = await travel.stack.time.travel('+2 days')
  await travel.stack.scenarios.run('rpc-down')
  await travel.stack.scenarios.run('no-mining', { chainId: 421614 })
  await snapshot.restore()
  expect(travel.stack.scenarios.listChains()).toMatchObject([{ active: [] }, { active: [] }])
  expect(travel.stack.time.now().getTime()).toBeGreaterThanOrEqual(now.getTime())
  for (const chain of Object.values(travel.stack.localnet.chains)) {
    const { timestamp } = await connectOwner(chain).client.getBlock()
    const aheadMs = Number(timestamp) * 1000 - travel.stack.time.now().getTime()
    expect(Math.abs(aheadMs)).toBeLessThan(30_000)
  }
  expect(await call('convert.preview', pairOf('tAUD'))).toMatchObject({ status: 200 })
})

it('a transaction from before a snapshot stays mined through a restore and a reorganisation', async () => {
  const wallet = await createWallet(travel.stack.localnet.chains[84532])
  const { client } = connectOwner(travel.stack.localnet.chains[84532])
  const transfer = { chainId: 84532, to: wallet.address, data: '0x', value: '1', gasLimit: '21000' } as Unsigned
  await travel.stack.scenarios.run('mine')
  const serializedTransaction = await wallet.sign(travel.stack.callers.REST, transfer)
  const transactionHash = await client.sendRawTransaction({ serializedTransaction })
  const snapshot = await travel.stack.snapshot()
  await expect(travel.stack.scenarios.run('reorg', { transactionHash })).rejects.toThrow('has no earlier snapshot')
  await travel.stack.scenarios.run('reorg', { depth: 2 })
  await snapshot.restore()
  expect(await client.getTransactionReceipt({ hash: transactionHash })).toMatchObject({ status: 'success' })
})

it('snapshots are taken, restored and deleted over HTTP, and a restore of an older one ends the newer ones', async () => {
  const [older, newer] = [await callLocal('POST', 'snapshots'), await callLocal('POST', 'snapshots')]
  const restore = async ({ data }: typeof older) => await callLocal('POST', `snapshots/${String(data?.['id'])}/restore`)
  expect(await restore(newer)).toEqual({ status: 200, data: newer.data })
  expect(await restore(older)).toEqual({ status: 200, data: older.data })
  expect(await restore(newer)).toEqual({ status: 404, code: 'svc/not-found' })
  expect(await callLocal('DELETE', `snapshots/${String(older.data?.['id'])}`)).toEqual({
    status: 200,
    data: older.data,
  })
  expect(await restore(older)).toEqual({ status: 404, code: 'svc/not-found' })
  expect(await callLocal('POST', 'snapshots/another/restore')).toEqual({ status: 404, code: 'svc/not-found' })
  expect(await callLocal('POST', 'snapshots', { name: 'x' })).toEqual({ status: 400, code: 'svc/invalid-request' })
})

it('a snapshot is refused while a fault is active, which no restore could remove', async () => {
  await travel.stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 5 })
  await expect(travel.stack.snapshot()).rejects.toThrow('the scenario price-move is active on chain 84532')
})

it('the example of the page about time and snapshots runs as printed', async () => {
  const page = await readFile(new URL('../../docs/develop/time.md', import.meta.url), 'utf8')
  const [, example = ''] = /```ts\n(.*?)```/s.exec(page) ?? []
  expect(example).toContain('agio.snapshot()')
  const source = `export async function run(agio, assert) {${example}}`
  const { run } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`)) as {
    run(agio: AgioStack, assert: unknown): Promise<void>
  }
  await run(travel.stack, assert)
})

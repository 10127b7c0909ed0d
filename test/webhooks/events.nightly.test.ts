import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Unsigned } from '../harness/createWallet.ts'
import { eventually } from '../harness/timeLimits.ts'
import { signConversion } from '../harness/signConversion.ts'
import { expectSigned, startReceiver } from './startReceiver.ts'
import { setUpWebhooks } from './setUpWebhooks.ts'

const webhooks = setUpWebhooks()
const { create, broadcast, expectTypes, call, sign } = webhooks

describe('the events of a transaction', () => {
  it('a broadcast transaction is delivered as included, safe and finalized, signed, once each and in order', async () => {
    const { secret } = await create()
    const { hash } = await broadcast()
    await expectTypes(['transaction.included'])
    await webhooks.owner.client.mine({ blocks: 2 })
    await expectTypes(['transaction.included', 'transaction.safe'])
    await webhooks.owner.client.mine({ blocks: 2 })
    await expectTypes(['transaction.included', 'transaction.safe', 'transaction.finalized'])
    for (const message of webhooks.receiver.messages) expectSigned(message, [secret])
    const ids = webhooks.receiver.messages.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(3)
    const { data, timestamp } = webhooks.receiver.events()[2] ?? {}
    const { data: tracked } = await call('transaction.track', { transactionHash: hash })
    const { cursor: _, ...state } = tracked ?? {}
    expect(data).toEqual(state)
    expect(new Date(String(timestamp)).toISOString()).toBe(timestamp)
    const { data: watches } = await call('webhooks.watches', {})
    expect(watches?.['watches']).toMatchObject([
      { transactionHash: hash, status: 'finalized', endedAt: expect.any(String) as string },
    ])
  })

  it('a transaction is pending, and replaced by another one: at first, and once that is final', async () => {
    await create()
    await webhooks.stack.scenarios.run('no-mining')
    const { hash } = await broadcast()
    await expectTypes(['transaction.pending'])
    const { data: built } = await call('transaction.buildReplace', { transactionHash: hash, kind: 'cancel' })
    const nonce = async () => ({ status: 200, data: { nonce: 0 } })
    const winner = await webhooks.wallet.sign(nonce, built as unknown as Unsigned)
    await webhooks.owner.client.sendRawTransaction({ serializedTransaction: winner })
    await webhooks.stack.scenarios.run('mine')
    await expectTypes(['transaction.pending', 'transaction.replaced'])
    await webhooks.owner.client.mine({ blocks: 4 })
    await expectTypes(['transaction.pending', 'transaction.replaced', 'transaction.replaced'])
    const replaced = webhooks.receiver.events().slice(1)
    expect(replaced.map(({ data }) => data['replacement'])).toMatchObject([
      { transactionHash: keccak256(winner), kind: 'cancel', finality: 'included' },
      { transactionHash: keccak256(winner), kind: 'cancel', finality: 'finalized' },
    ])
  })

  it('a transaction that reverts is failed with the reason, and again once that is final', async () => {
    await create()
    const { signedTransaction } = await signConversion(webhooks.localnet.chains[84532], webhooks.stack.callers.REST)
    await webhooks.stack.scenarios.run('price-move', { symbol: 'tAUD', percent: -50 })
    await call('transaction.broadcast', { signedTransaction })
    await expectTypes(['transaction.failed'])
    await webhooks.owner.client.mine({ blocks: 4 })
    await expectTypes(['transaction.failed', 'transaction.failed'])
    expect(webhooks.receiver.events().map(({ data }) => data)).toMatchObject([
      { finality: 'included', failure: { code: 'svc/below-min-target' } },
      { finality: 'finalized', failure: { code: 'svc/below-min-target' } },
    ])
  })

  it('a transaction is delivered also if the client that broadcast it has disconnected before it is mined', async () => {
    await create({ events: ['transaction.included'] })
    await webhooks.stack.scenarios.run('no-mining')
    const signedTransaction = await sign()
    const closing = new AbortController()
    const sending = fetch(`${webhooks.stack.url}/api/v1/transaction/broadcast`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': webhooks.key.key },
      body: JSON.stringify({ signedTransaction }),
      signal: closing.signal,
    }).catch(() => undefined)
    const hash = keccak256(signedTransaction)
    await expect
      .poll(() => webhooks.owner.client.getTransaction({ hash }).catch(() => undefined), eventually)
      .toBeDefined()
    closing.abort()
    // On a slow machine the client may have the response before: that the transaction is pending.
    await sending
    await webhooks.stack.scenarios.run('mine')
    await expectTypes(['transaction.included'])
    expect(webhooks.receiver.events()[0]?.data).toMatchObject({ transactionHash: hash })
  })

  it('a transaction whose block is reorganised away is reorged, and then what it is in the new chain', async () => {
    await create({ events: ['transaction.included', 'transaction.reorged'] })
    // The scenario goes back to before the transaction was mined.
    await webhooks.stack.scenarios.run('no-mining')
    const { hash } = await broadcast()
    await webhooks.stack.scenarios.run('mine')
    await expectTypes(['transaction.included'])
    await webhooks.stack.scenarios.run('reorg', { transactionHash: hash, outcome: 'moved' })
    await expectTypes(['transaction.included', 'transaction.reorged', 'transaction.included'])
    expect(webhooks.receiver.events()[1]?.data).toMatchObject({ transactionHash: hash, reorg: { outcome: 'moved' } })
  })

  it('a registered transaction that no node has is delivered once it is sent, and a second registration changes nothing', async () => {
    await create()
    const signed = await sign()
    const input = { transactionHash: keccak256(signed), from: webhooks.wallet.address, nonce: 0 }
    expect(await call('webhooks.watch', input)).toMatchObject({ status: 200 })
    expect(await call('webhooks.watch', input)).toMatchObject({ status: 200 })
    await webhooks.owner.client.sendRawTransaction({ serializedTransaction: signed })
    await expectTypes(['transaction.included'])
    expect(webhooks.receiver.events()[0]?.data).toMatchObject({
      transactionHash: keccak256(signed),
      from: webhooks.wallet.address,
    })
  })

  it('a conversion that leaves the node is dropped once its deadline has passed', async () => {
    await create()
    const snapshot = await webhooks.stack.snapshot()
    const { signedTransaction } = await signConversion(webhooks.localnet.chains[84532], webhooks.stack.callers.REST)
    await webhooks.stack.scenarios.run('no-mining')
    await call('transaction.broadcast', { signedTransaction })
    await expectTypes(['transaction.pending'])
    await webhooks.owner.client.dropTransaction({ hash: keccak256(signedTransaction) })
    await webhooks.stack.scenarios.reset()
    // The deadline passes. A poll that begins meanwhile finds nothing, and the next one is due five minutes later.
    await webhooks.stack.time.travel('+11 minutes')
    await webhooks.stack.time.travel('+6 minutes')
    await expectTypes(['transaction.pending', 'transaction.dropped'])
    await snapshot.restore()
  })

  it('error: a registered hash that no node has, without sender and nonce, is svc/transaction-not-found', async () => {
    const outcome = await call('webhooks.watch', { transactionHash: keccak256(await sign()) })
    expect(outcome).toMatchObject({ status: 404, failure: { code: 'svc/transaction-not-found' } })
  })

  it('a broadcast that the node refuses is not followed', async () => {
    await create()
    const signedTransaction = await sign({ value: '1000000000000000000000000000' })
    expect(await call('transaction.broadcast', { signedTransaction })).toMatchObject({ status: 422 })
    expect((await call('webhooks.watches', {})).data).toEqual({ watches: [] })
  })

  it('a key without webhooks follows nothing that it broadcasts', async () => {
    await broadcast()
    expect((await call('webhooks.watches', {})).data).toEqual({ watches: [] })
  })

  it('a webhook receives only the types that it was created for, and each of two webhooks its own', async () => {
    await using second = await startReceiver()
    await create({ events: ['transaction.finalized'] })
    await call('webhooks.create', { url: second.url, events: ['transaction.included'] })
    await broadcast()
    await expect.poll(() => second.types(), eventually).toEqual(['transaction.included'])
    await webhooks.owner.client.mine({ blocks: 4 })
    await expectTypes(['transaction.finalized'])
    expect(second.types()).toEqual(['transaction.included'])
  })
})

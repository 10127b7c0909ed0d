import type { Localnet } from '@agio/localnet'
import { keccak256, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { eventually } from '../harness/timeLimits.ts'
import { signConversion } from '../harness/signConversion.ts'
import { expectSigned, startReceiver, status, type Receiver } from './startReceiver.ts'

type Fields = Readonly<Record<string, unknown>>

const roomy = { requests: 100_000, windowSeconds: 3600, burstPerSecond: 100_000, monthlyQuota: 1_000_000 }
const sink = '0x00000000000000000000000000000000000000a1'

let localnet: Localnet
let stack: AgioStack
let owner: Owner
let wallet: Awaited<ReturnType<typeof createWallet>>
let receiver: Receiver
let key: { readonly id: string; readonly key: string }

beforeAll(async () => {
  // Only transactions and the tests mine blocks.
  stack = await startAgio({
    ownDatabase: true,
    finalityBlocks: 2,
    broadcastWaitMs: 1000,
    webhookTargets: 'local',
    webhookRetrySeconds: [0.01, 0.01],
    webhookTimeoutMs: 1000,
  })
  localnet = stack.localnet
  owner = connectOwner(localnet.chains[84532])
})

// Its own key: events that other tests left behind are not delivered.
beforeEach(async () => {
  wallet = await createWallet(localnet.chains[84532])
  receiver = await startReceiver()
  key = await createAdminClient(stack.url).issue(roomy)
})

afterEach(async () => {
  await stack.scenarios.reset()
  await receiver[Symbol.asyncDispose]()
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

describe('the events of a transaction', () => {
  it('a broadcast transaction is delivered as included, safe and finalized, signed, once each and in order', async () => {
    const { secret } = await create()
    const { hash } = await broadcast()
    await expectTypes(['transaction.included'])
    await owner.client.mine({ blocks: 2 })
    await expectTypes(['transaction.included', 'transaction.safe'])
    await owner.client.mine({ blocks: 2 })
    await expectTypes(['transaction.included', 'transaction.safe', 'transaction.finalized'])
    for (const message of receiver.messages) expectSigned(message, [secret])
    const ids = receiver.messages.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(3)
    const { data, timestamp } = receiver.events()[2] ?? {}
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
    await stack.scenarios.run('no-mining')
    const { hash } = await broadcast()
    await expectTypes(['transaction.pending'])
    const { data: built } = await call('transaction.buildReplace', { transactionHash: hash, kind: 'cancel' })
    const nonce = async () => ({ status: 200, data: { nonce: 0 } })
    const winner = await wallet.sign(nonce, built as unknown as Unsigned)
    await owner.client.sendRawTransaction({ serializedTransaction: winner })
    await stack.scenarios.run('mine')
    await expectTypes(['transaction.pending', 'transaction.replaced'])
    await owner.client.mine({ blocks: 4 })
    await expectTypes(['transaction.pending', 'transaction.replaced', 'transaction.replaced'])
    const replaced = receiver.events().slice(1)
    expect(replaced.map(({ data }) => data['replacement'])).toMatchObject([
      { transactionHash: keccak256(winner), kind: 'cancel', finality: 'included' },
      { transactionHash: keccak256(winner), kind: 'cancel', finality: 'finalized' },
    ])
  })

  it('a transaction that reverts is failed with the reason, and again once that is final', async () => {
    await create()
    const { signedTransaction } = await signConversion(localnet.chains[84532], stack.callers.REST)
    await stack.scenarios.run('price-move', { symbol: 'tAUD', percent: -50 })
    await call('transaction.broadcast', { signedTransaction })
    await expectTypes(['transaction.failed'])
    await owner.client.mine({ blocks: 4 })
    await expectTypes(['transaction.failed', 'transaction.failed'])
    expect(receiver.events().map(({ data }) => data)).toMatchObject([
      { finality: 'included', failure: { code: 'svc/below-min-target' } },
      { finality: 'finalized', failure: { code: 'svc/below-min-target' } },
    ])
  })

  it('a transaction is delivered also if the client that broadcast it has disconnected before it is mined', async () => {
    await create({ events: ['transaction.included'] })
    await stack.scenarios.run('no-mining')
    const signedTransaction = await sign()
    const closing = new AbortController()
    const sending = fetch(`${stack.url}/api/v1/transaction/broadcast`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key.key },
      body: JSON.stringify({ signedTransaction }),
      signal: closing.signal,
    }).catch(() => 'disconnected')
    const hash = keccak256(signedTransaction)
    await expect.poll(() => owner.client.getTransaction({ hash }).catch(() => undefined), eventually).toBeDefined()
    closing.abort()
    expect(await sending).toBe('disconnected')
    await stack.scenarios.run('mine')
    await expectTypes(['transaction.included'])
    expect(receiver.events()[0]?.data).toMatchObject({ transactionHash: hash })
  })

  it('a transaction whose block is reorganised away is reorged, and then what it is in the new chain', async () => {
    await create({ events: ['transaction.included', 'transaction.reorged'] })
    // The scenario goes back to before the transaction was mined.
    await stack.scenarios.run('no-mining')
    const { hash } = await broadcast()
    await stack.scenarios.run('mine')
    await expectTypes(['transaction.included'])
    await stack.scenarios.run('reorg', { transactionHash: hash, outcome: 'moved' })
    await expectTypes(['transaction.included', 'transaction.reorged', 'transaction.included'])
    expect(receiver.events()[1]?.data).toMatchObject({ transactionHash: hash, reorg: { outcome: 'moved' } })
  })

  it('a registered transaction that no node has is delivered once it is sent, and a second registration changes nothing', async () => {
    await create()
    const signed = await sign()
    const input = { transactionHash: keccak256(signed), from: wallet.address, nonce: 0 }
    expect(await call('webhooks.watch', input)).toMatchObject({ status: 200 })
    expect(await call('webhooks.watch', input)).toMatchObject({ status: 200 })
    await owner.client.sendRawTransaction({ serializedTransaction: signed })
    await expectTypes(['transaction.included'])
    expect(receiver.events()[0]?.data).toMatchObject({ transactionHash: keccak256(signed), from: wallet.address })
  })

  it('a conversion that leaves the node is dropped once its deadline has passed', async () => {
    await create()
    const snapshot = await owner.client.snapshot()
    const { signedTransaction } = await signConversion(localnet.chains[84532], stack.callers.REST)
    await stack.scenarios.run('no-mining')
    await call('transaction.broadcast', { signedTransaction })
    await expectTypes(['transaction.pending'])
    await owner.client.dropTransaction({ hash: keccak256(signedTransaction) })
    await owner.client.increaseTime({ seconds: 600 })
    await owner.client.mine({ blocks: 1 })
    await expectTypes(['transaction.pending', 'transaction.dropped'])
    await stack.scenarios.reset()
    await owner.client.revert({ id: snapshot })
    await owner.client.mine({ blocks: 8 })
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
    await owner.client.mine({ blocks: 4 })
    await expectTypes(['transaction.finalized'])
    expect(second.types()).toEqual(['transaction.included'])
  })
})

describe('a receiver that fails', () => {
  it.each([
    ['answers 500', status(500), 'status-500'],
    ['redirects', status(302, { location: 'http://127.0.0.1:1/' }), 'redirect'],
  ])(
    'a receiver that %s is sent the same message until it is given up, and again by a replay',
    async (_, answer, error) => {
      const { id } = await create()
      receiver.setAnswer(answer)
      await broadcast()
      await expectDeliveries(id, [{ status: 'given-up', attempts: 3, lastError: error }])
      expect(receiver.messages).toHaveLength(3)
      expect(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(new Set(receiver.messages.map(({ body }) => body)).size).toBe(1)
      receiver.setAnswer(status(200))
      expect(await call('webhooks.replay', { id })).toMatchObject({ data: { replayed: 1 } })
      await expectDeliveries(id, [{ status: 'delivered', lastStatus: 200 }])
    },
  )

  it('410 disables the webhook at once, and a replay enables it', async () => {
    const { id } = await create()
    receiver.setAnswer(status(410))
    await broadcast()
    const gone = { disabledReason: 'gone', disabledAt: expect.any(String) as string }
    const list = async () => (await call('webhooks.list', {})).data?.['webhooks']
    await expect.poll(list, eventually).toMatchObject([gone])
    expect(receiver.messages).toHaveLength(1)
    receiver.setAnswer(status(204))
    await call('webhooks.replay', { id })
    await expectDeliveries(id, [{ status: 'delivered' }])
    expect((await list()) as readonly object[]).not.toMatchObject([gone])
  })

  it.each([
    ['never answers', () => {}],
    [
      'answers slowly, byte by byte, without an end of its headers',
      (_: unknown, response: { socket: { write(text: string): void } | null }) => {
        response.socket?.write('HTTP/1.1 200 OK\r\n')
        const timer = setInterval(() => response.socket?.write('x: y\r\n'), 100)
        setTimeout(() => clearInterval(timer), 10_000).unref()
      },
    ],
  ] as const)('a receiver that %s is given up by the limit of time', async (_, answer) => {
    const { id } = await create()
    receiver.setAnswer(answer)
    await broadcast()
    await expectDeliveries(id, [{ status: 'given-up', attempts: 3, lastError: 'timeout' }])
  })

  it('a receiver that answers 200 and then sends for ever has received its message', async () => {
    const { id } = await create()
    let isClosed = false
    receiver.setAnswer((_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
      response.on('close', () => {
        clearInterval(timer)
        isClosed = true
      })
    })
    await broadcast()
    await expectDeliveries(id, [{ status: 'delivered', attempts: 1 }])
    await expect.poll(() => isClosed, eventually).toBe(true)
  })

  it('a receiver that is down is named so, and receives the message once it is up', async () => {
    const { id } = await create()
    await receiver[Symbol.asyncDispose]()
    await broadcast()
    await expectDeliveries(id, [{ status: 'given-up', lastError: 'connection' }])
  })
})

describe('the secret of a webhook', () => {
  it('after a rotation messages are signed by both secrets', async () => {
    const { id, secret } = await create()
    const { data: rotated } = await call('webhooks.rotate', { id })
    expect(rotated).toMatchObject({ id, oldSecretExpiresAt: expect.any(String) as string })
    await broadcast()
    await expectTypes(['transaction.included'])
    for (const message of receiver.messages) expectSigned(message, [String(rotated?.['secret']), secret])
  })

  it('no list contains a secret', async () => {
    const { id, secret } = await create()
    await broadcast()
    await expectTypes(['transaction.included'])
    const lists = await Promise.all([call('webhooks.list', {}), call('webhooks.deliveries', { id })])
    expect(JSON.stringify(lists)).not.toContain(secret.slice('whsec_'.length))
  })
})

describe('a key', () => {
  it('error: webhooks of another key are svc/webhook-not-found', async () => {
    const { id } = await create()
    const other = await createAdminClient(stack.url).issue(roomy)
    const callOther = createRestCaller({ url: stack.url, apiKey: other.key })
    for (const operation of ['webhooks.delete', 'webhooks.rotate', 'webhooks.deliveries', 'webhooks.replay']) {
      const outcome = await callOther(operation, { id })
      expect(outcome, operation).toMatchObject({ status: 404, failure: { code: 'svc/webhook-not-found' } })
    }
    expect((await callOther('webhooks.list', {})).data).toEqual({ webhooks: [] })
  })

  it('a revoked key receives nothing more', async () => {
    await create()
    const { hash } = await broadcast()
    await expectTypes(['transaction.included'])
    await createAdminClient(stack.url).revoke(key.id)
    await finalizeForAnother(hash)
    expect(receiver.types()).toEqual(['transaction.included'])
  })

  it('a deleted webhook receives nothing more', async () => {
    const { id } = await create()
    const { hash } = await broadcast()
    await expectTypes(['transaction.included'])
    expect(await call('webhooks.delete', { id })).toMatchObject({ status: 200, data: { id } })
    await finalizeForAnother(hash)
    expect(receiver.types()).toEqual(['transaction.included'])
  })
})

/** Finalizes a transaction, and waits until another key has received that twice: each time after the first key would have. */
async function finalizeForAnother(transactionHash: Hex): Promise<void> {
  await using other = await startReceiver()
  const issued = await createAdminClient(stack.url).issue(roomy)
  const callOther = createRestCaller({ url: stack.url, apiKey: issued.key })
  await callOther('webhooks.create', { url: other.url })
  await callOther('webhooks.watch', { transactionHash })
  await expect.poll(() => other.types(), eventually).toEqual(['transaction.included'])
  await owner.client.mine({ blocks: 2 })
  await expect.poll(() => other.types(), eventually).toContain('transaction.safe')
  await owner.client.mine({ blocks: 2 })
  await expect.poll(() => other.types(), eventually).toContain('transaction.finalized')
}

async function create(fields: Fields = {}): Promise<{ readonly id: string; readonly secret: string }> {
  const { data, failure } = await call('webhooks.create', { url: receiver.url, ...fields })
  if (!data) throw new Error(`Cannot create the webhook: ${JSON.stringify(failure)}`)
  return data as { id: string; secret: string }
}

/** Calls an operation with the key of the test. */
async function call(operation: string, input: Fields) {
  return await createRestCaller({ url: stack.url, apiKey: key.key })(operation, input)
}

const empty = { chainId: 84532, to: sink, data: '0x', value: '1', gasLimit: '21000' } as const

async function sign(changes: Partial<Unsigned> = {}): Promise<Hex> {
  return await wallet.sign(stack.callers.REST, { ...empty, ...changes })
}

async function broadcast(): Promise<{ readonly hash: Hex }> {
  const signedTransaction = await sign()
  expect(await call('transaction.broadcast', { signedTransaction })).toMatchObject({ status: 200 })
  return { hash: keccak256(signedTransaction) }
}

async function expectTypes(types: readonly string[]): Promise<void> {
  await expect.poll(() => receiver.types(), eventually).toEqual(types)
}

/** Waits until the deliveries of a webhook, the newest first, match. */
async function expectDeliveries(id: string, expected: readonly Fields[]): Promise<void> {
  const list = async () => (await call('webhooks.deliveries', { id })).data?.['deliveries']
  await expect.poll(list, eventually).toMatchObject(expected)
}

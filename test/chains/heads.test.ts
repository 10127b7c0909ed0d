import { createChain } from '@agio/chain'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createWallet } from '../harness/createWallet.ts'
import { validInputs } from '../harness/validInputs.ts'
import { eventually } from '../harness/timeLimits.ts'
import { headPoll } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { sendTransaction } from '../harness/writeContract.ts'
import { setUpHeads, expectFailure } from './setUpHeads.ts'

const nodes = setUpHeads()
const toRequest = ({ method, params }: { readonly method: string; readonly params?: unknown }) =>
  JSON.stringify([method, params])
const { serve, countPolls, readBlock, mine, waitUntilPolled, waitUntilNotPolled } = nodes

describe('a node by WebSocket', () => {
  it('a node with a WebSocket answers every operation over it, and the next URL gets no request of its own', async () => {
    const { call } = await serve([nodes.socket.url, nodes.http.url])
    const callAll = async () => {
      for (const [operation, input] of Object.entries(validInputs(nodes.localnet.chains[84532]))) {
        expect(await call(operation, input), operation).toMatchObject({ status: 200 })
      }
    }
    // The first calls read what two nodes confirm once, such as the features of the router.
    await callAll()
    const before = nodes.http.requests.length
    await callAll()
    const sent = nodes.http.requests.slice(before).flatMap(({ calls }) => calls)
    // The chain id of every node is verified at the start, and some reads are compared between both nodes.
    const compared = new Set(nodes.socket.calls.map(toRequest))
    const own = sent.filter((call) => call.method !== 'eth_chainId' && !compared.has(toRequest(call)))
    expect(own).toEqual([])
    expect(nodes.socket.count('eth_call')).toBeGreaterThan(0)
  })

  it('a transaction can be broadcast over a WebSocket, and the next preview uses its block', async () => {
    const { call, preview } = await serve([nodes.wireUrl])
    const wallet = await createWallet(nodes.localnet.chains[84532])
    const transfer = { to: wallet.address, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' } as const
    const signedTransaction = await wallet.sign(call, transfer)
    const { data } = await call('transaction.broadcast', { signedTransaction })
    expect(data).toMatchObject({ status: 'success' })
    expect(await preview()).toMatchObject({ data: { blockNumber: data?.['blockNumber'] } })
  })

  it('new blocks arrive by subscription, without polls over another URL', async () => {
    const { url, preview, waitUntilSubscribed } = await serve([nodes.http.url, nodes.socket.url])
    await waitUntilSubscribed()
    const polls = countPolls()
    // Polls over the WebSocket keep returning the first block, so later ones can arrive by subscription only.
    const first = await readBlock()
    nodes.socket.setAnswer((method, id) => (method === headPoll ? toReply(id, { result: first }) : undefined))
    for (let block = 0; block < 10; block += 1) {
      await mine()
      await waitForBlock(url, nodes.localnet.chains[84532])
      expect(await preview()).toMatchObject({ status: 200 })
    }
    expect(countPolls()).toBe(polls)
  })

  it('polls over the WebSocket keep the head of a quiet chain confirmed', async () => {
    const { preview, isOk, waitUntilSubscribed } = await serve([nodes.socket.url], { snapshotMaxAgeMs: 4000 })
    await waitUntilSubscribed()
    await preview()
    // Longer than the maximum age. The times of the polls are proven on a fake clock: createHeads.subscribe.test.ts.
    const untilMs = performance.now() + 4500
    const first = nodes.socket.calls.length
    while (nodes.socket.calls.length < first + 3 || performance.now() < untilMs) {
      expect(await preview()).toMatchObject({ status: 200 })
      expect(await isOk()).toBe(true)
    }
    const quiet = nodes.socket.calls.slice(first)
    // The chain id is verified again from time to time.
    const methods = new Set(quiet.map(({ method }) => method))
    expect([...methods].filter((method) => method !== 'eth_chainId')).toEqual([headPoll])
  })

  it('a notice that holds no block makes the service poll the newest block', async () => {
    const { preview, waitUntilSubscribed } = await serve([nodes.socket.url])
    await waitUntilSubscribed()
    const { number } = await nodes.owner.client.getBlock()
    for (const garbage of [
      null,
      'garbage',
      {},
      { number: '0xffffff', hash: null, timestamp: '0x1' },
      { hash: '0x12' },
    ]) {
      const polled = nodes.socket.count(headPoll)
      nodes.socket.notify(garbage)
      await vi.waitUntil(() => nodes.socket.count(headPoll) > polled, eventually)
      expect(await preview()).toMatchObject({ status: 200, data: { blockNumber: Number(number) } })
    }
  })

  it('a late notice of an older block does not move the head back', async () => {
    const { url, preview, waitUntilSubscribed } = await serve([nodes.socket.url])
    await waitUntilSubscribed()
    const older = await readBlock()
    await mine()
    await mine()
    await waitForBlock(url, nodes.localnet.chains[84532])
    const { data } = await preview()
    const polled = nodes.socket.count(headPoll)
    nodes.socket.setAnswer((method) => (method === headPoll ? 'nothing' : undefined))
    nodes.socket.notify(older)
    // The poll that the malformed notice causes shows that the notice before it was processed.
    nodes.socket.notify(null)
    await vi.waitUntil(() => nodes.socket.count(headPoll) > polled, eventually)
    expect((await preview()).data?.['blockNumber']).toBe(data?.['blockNumber'])
  })

  it('a reorganisation that a subscription reports is followed', async () => {
    const { url, preview } = await serve([nodes.wireUrl])
    const id = await nodes.owner.client.snapshot()
    const send = (wei: bigint) => sendTransaction(nodes.owner.client, { to: nodes.owner.address, value: wei })
    for (const wei of [1n, 2n]) await send(wei)
    await waitForBlock(url, nodes.localnet.chains[84532])
    await preview()
    await nodes.owner.client.revert({ id })
    await send(3n)
    await waitForBlock(url, nodes.localnet.chains[84532])
    const { number } = await nodes.owner.client.getBlock()
    expect(await preview()).toMatchObject({ status: 200, data: { blockNumber: Number(number) } })
  })
})

describe('a WebSocket that fails', () => {
  it('the next URL is polled while the WebSocket is down, until it is connected again', async () => {
    const { url, preview } = await serve([nodes.wireUrl, nodes.http.url])
    expect(await preview()).toMatchObject({ status: 200 })
    await nodes.wire.cut()
    await mine()
    await waitForBlock(url, nodes.localnet.chains[84532])
    expect(await preview()).toMatchObject({ status: 200 })
    await waitUntilPolled(3)

    await nodes.wire.restore()
    await vi.waitUntil(() => nodes.wire.countConnections() === 1, eventually)
    await waitUntilNotPolled()
    await mine()
    await waitForBlock(url, nodes.localnet.chains[84532])
    expect(await preview()).toMatchObject({ status: 200 })
  })

  it('a WebSocket that ends is 503 svc/upstream-unavailable, and opened again by the next request', async () => {
    const { call, preview } = await serve([nodes.wireUrl], { snapshotMaxAgeMs: 0 })
    await vi.waitUntil(async () => (await preview()).status === 200, eventually)
    for (let count = 0; count < 2; count += 1) {
      await nodes.wire.cut()
      expectFailure(await preview(), '503 svc/upstream-unavailable')
      expectFailure(await call('transaction.nonce', { address: nodes.owner.address }), '503 svc/upstream-unavailable')
      await nodes.wire.restore()
      expect(await preview()).toMatchObject({ status: 200 })
    }
  })

  it('a WebSocket that stalls is 504 svc/upstream-timeout, and opened again', async () => {
    const { preview } = await serve([nodes.wireUrl], { snapshotMaxAgeMs: 0 })
    await vi.waitUntil(async () => (await preview()).status === 200, eventually)
    nodes.wire.stall()
    expectFailure(await preview(), '504 svc/upstream-timeout')
    await nodes.wire.restore()
    expect(await preview()).toMatchObject({ status: 200 })
  })

  it('a WebSocket that stalls without traffic is detected, and heads are polled over another URL', async () => {
    const { url } = await serve([nodes.http.url, nodes.wireUrl], { snapshotMaxAgeMs: 2000 })
    await vi.waitUntil(() => nodes.wire.countConnections() === 1, eventually)
    await waitUntilNotPolled()
    nodes.wire.stall()
    await waitUntilPolled(3)
    await mine()
    await waitForBlock(url, nodes.localnet.chains[84532])
  })

  it.each([
    ['carries garbage', '502 svc/upstream-error', () => 'garbage'],
    ['carries no JSON-RPC', '502 svc/upstream-error', () => '[]'],
    ['carries errors', '502 svc/upstream-error', toError({ code: -32603, message: 'internal error' })],
    ['limits our rate', '503 svc/upstream-unavailable', toError({ code: -32005, message: 'limit exceeded' })],
    ['limits the rate of all', '503 svc/upstream-unavailable', () => toReply(null, { error: { code: -32005 } })],
  ] as const)('a WebSocket that %s is %s', async (_, outcome, answer) => {
    const { preview } = await serve([nodes.socket.url], { snapshotMaxAgeMs: 0 })
    await vi.waitUntil(async () => (await preview()).status === 200, eventually)
    nodes.socket.setAnswer((_method, id) => answer(id))
    expectFailure(await preview(), outcome)
    nodes.socket.reset()
    expect(await preview()).toMatchObject({ status: 200 })
  })

  it('a WebSocket without subscriptions is polled', async () => {
    nodes.socket.setAnswer((method, id) =>
      method === 'eth_subscribe' ? toReply(id, { error: { code: -32601, message: 'no such method' } }) : undefined,
    )
    const { url, preview } = await serve([nodes.socket.url])
    await mine()
    await waitForBlock(url, nodes.localnet.chains[84532])
    expect(await preview()).toMatchObject({ status: 200 })
    const polled = nodes.socket.count(headPoll)
    await vi.waitUntil(() => nodes.socket.count(headPoll) > polled + 3, eventually)
  })

  it('a service that stops closes its WebSocket, and opens no other', async () => {
    const { preview, stop } = await serve([nodes.wireUrl])
    expect(await preview()).toMatchObject({ status: 200 })
    await vi.waitUntil(() => nodes.wire.countConnections() === 1, eventually)
    await stop()
    await vi.waitUntil(() => nodes.wire.countConnections() === 0, eventually)
  })

  it('a stopped chain completes requests in flight and later ones, and then closes its WebSocket', async () => {
    const chain = createChain({ deployment: nodes.localnet.chains[84532].deployment, urls: [nodes.wireUrl] })
    onTestFinished(chain.stop)
    await chain.pools.getSnapshot()
    expect(nodes.wire.countConnections()).toBe(1)
    const inFlight = Promise.all([chain.transactions.readNonces(nodes.owner.address), chain.pools.getSnapshot()])
    chain.stop()
    expect(await inFlight).toMatchObject([{ latest: expect.any(Number) }, { pools: expect.any(Array) }])
    expect(await chain.transactions.readNonces(nodes.owner.address)).toMatchObject({ latest: expect.any(Number) })
    await vi.waitUntil(() => nodes.wire.countConnections() === 0, eventually)
  })
})

function toReply(id: number | null, outcome: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...outcome })
}

function toError(fault: { readonly code: number; readonly message: string }) {
  return (id: number) => toReply(id, { error: fault })
}

import { createChain } from '@agio/chain'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { advanceClock } from '../harness/advanceClock.ts'
import { error, errorOf, resultOf } from '../harness/answers.ts'
import { createWallet } from '../harness/createWallet.ts'
import { validInputs } from '../harness/validInputs.ts'
import { eventually } from '../harness/timeLimits.ts'
import { headPoll } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
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
    const listOwn = async () => {
      const before = nodes.http.requests.length
      await callAll()
      const sent = nodes.http.requests.slice(before).flatMap(({ calls }) => calls)
      // The chain id of every node is verified at the start, and some reads are compared between both nodes.
      const compared = new Set(nodes.socket.calls.map(toRequest))
      return sent.filter((call) => call.method !== 'eth_chainId' && !compared.has(toRequest(call)))
    }
    // After a standstill of the machine, the next URL may answer first.
    await expect.poll(listOwn, eventually).toEqual([])
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

  it('a service over a WebSocket only polls the newest block while the chain is quiet', async () => {
    const { preview, waitUntilSubscribed } = await serve([nodes.socket.url])
    await waitUntilSubscribed()
    await preview()
    // The times of the polls are proven on a fake clock: createHeads.subscribe.test.ts.
    const first = nodes.socket.calls.length
    await vi.waitUntil(() => nodes.socket.calls.length >= first + 3, eventually)
    expect(await preview()).toMatchObject({ status: 200 })
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

describe('a node that lags behind another', () => {
  it('a node that lags does not move previews back to an older block before the maximum age of the head', async () => {
    // Runs last: the clock must not go back while the service runs.
    onTestFinished(() => void vi.restoreAllMocks())
    const snapshotMaxAgeMs = 600_000
    const { url, preview } = await serve([nodes.http.url], { snapshotMaxAgeMs })
    const older = await readBlock()
    await waitForBlock(url, nodes.localnet.chains[84532])
    for (let count = 0; count < 3; count += 1) {
      await mine()
      await waitForBlock(url, nodes.localnet.chains[84532])
    }
    const { data } = await preview()
    const newest = Number(data?.['blockNumber'])
    nodes.http.setAnswer(resultOf(headPoll, older))
    const polls = countPolls()
    while (countPolls() < polls + 3) expect(await preview()).toMatchObject({ data: { blockNumber: newest } })

    // A head that no node confirms is used for its maximum age, and not forever: createHeads.test.ts has the exact time.
    advanceClock(snapshotMaxAgeMs)
    const isBack = async () => (await preview()).data?.['blockNumber'] === Number(older.number)
    await vi.waitUntil(isBack, eventually)
    nodes.http.reset()
    await vi.waitUntil(async () => (await preview()).data?.['blockNumber'] === newest, eventually)
  })

  it('state is read from the next URL if a node does not know the block yet', async () => {
    nodes.http.setAnswer(errorOf('eth_call', { code: -32000, message: 'header not found' }))
    const { preview } = await serve([nodes.http.url, nodes.localnet.chains[84532].rpcUrl])
    expect(await preview()).toMatchObject({ status: 200 })
  })

  it('state is requested once more if one of many nodes behind a URL does not know the block yet', async () => {
    const { preview } = await serve([nodes.http.url])
    let refused = 0
    nodes.http.setAnswer(async (request, response, callNode) => {
      const isCall = request.calls.some(({ method }) => method === 'eth_call')
      if (isCall && (refused += 1) === 1)
        return error({ code: -32000, message: 'unknown block' })(request, response, callNode)
      response.writeHead(200, { 'content-type': 'application/json' }).end(await callNode())
    })
    expect(await preview()).toMatchObject({ status: 200 })
    expect(refused).toBeGreaterThan(1)
  })

  it.each([
    { code: -32000, message: 'header not found' },
    { code: -32001, message: 'block not found' },
    { code: -32602, message: 'unknown block' },
  ])(
    'a node that does not know the block ($code) is 502 svc/upstream-error, and the next request works',
    async (fault) => {
      nodes.http.setAnswer(errorOf('eth_call', fault))
      const { call, preview } = await serve([nodes.http.url])
      const inputs = validInputs(nodes.localnet.chains[84532])
      for (const operation of ['convert.preview', 'liquidity.previewDeposit', 'transaction.buildConvert'] as const) {
        expectFailure(await call(operation, inputs[operation]), '502 svc/upstream-error')
      }
      nodes.http.reset()
      expect(await preview()).toMatchObject({ status: 200 })
    },
  )
})

function toReply(id: number | null, outcome: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...outcome })
}

function toError(fault: { readonly code: number; readonly message: string }) {
  return (id: number) => toReply(id, { error: fault })
}

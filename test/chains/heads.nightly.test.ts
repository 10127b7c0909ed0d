import { createChain } from '@agio/chain'
import type { Settings } from '@agio/server'
import { toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { advanceClock } from '../harness/advanceClock.ts'
import { resultOf } from '../harness/answers.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet } from '../harness/createWallet.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { headPoll, isHeadPoll } from '../harness/startProxy.ts'
import { startTcpProxy, type TcpProxy } from '../harness/startTcpProxy.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { eventually } from '../harness/timeLimits.ts'
import { validInputs } from '../harness/validInputs.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { useUpstreams } from '../upstreams/startUpstreams.ts'

const upstreams = useUpstreams()
let owner: Owner
/** Over a WebSocket straight to the node, whose connections can be cut. */
let wire: TcpProxy
let wireUrl: string

beforeAll(async () => {
  owner = connectOwner(upstreams.chain)
  wire = await startTcpProxy(upstreams.chain.rpcUrl)
  wireUrl = wire.url.replace(/^http/, 'ws')
})
beforeEach(() => wire.restore())
afterAll(() => wire?.[Symbol.asyncDispose]())

/** Starts a service over the nodes of one chain, until the test ends. */
async function serve(nodes: readonly string[], settings: Partial<Settings> = {}) {
  const rpcUrls = { 84532: nodes }
  const subscriptions = upstreams.socket.count('eth_subscribe')
  const { url, stop } = await startTestServer(upstreams.localnet, { rpcUrls, ...settings })
  onTestFinished(stop)
  const call = createRestCaller({ url, apiKey })
  return {
    url,
    call,
    preview: () => call('convert.preview', validInputs(upstreams.chain)['convert.preview']),
    /** Waits until the service has subscribed over the recorded WebSocket, and serves the newest block. */
    async waitUntilSubscribed() {
      await vi.waitUntil(() => upstreams.socket.count('eth_subscribe') > subscriptions, eventually)
      await waitForBlock(url, upstreams.chain)
    },
    stop,
  }
}

const mine = () => owner.client.mine({ blocks: 1 })
/** Returns the newest block in the form of a node's response. */
async function readBlock() {
  const { number, hash, parentHash, timestamp } = await owner.client.getBlock()
  return { number: toHex(number), hash, parentHash, timestamp: toHex(timestamp) }
}

const countPolls = () => upstreams.first.requests.filter(isHeadPoll).length
async function waitUntilPolled(times: number): Promise<void> {
  const before = countPolls()
  await vi.waitUntil(() => countPolls() >= before + times, eventually)
}

/** Waits until no poll has come over HTTP for five times as long as the service waits between two polls. */
async function waitUntilNotPolled(): Promise<void> {
  await vi.waitUntil(
    () => performance.now() - (upstreams.first.requests.findLast(isHeadPoll)?.receivedAtMs ?? 0) > 2000,
    eventually,
  )
}

/** Asserts the status and the code of a failure, which must not reveal where the node is. */
function expectFailure(outcome: Awaited<ReturnType<Caller>>, expected: string): void {
  expect(`${outcome.status} ${outcome.failure?.code}`).toBe(expected)
  expect(JSON.stringify(outcome)).not.toMatch(/127\.0\.0\.1|localhost|(http|ws)s?:\/\//)
}

const toRequest = ({ method, params }: { readonly method: string; readonly params?: unknown }) =>
  JSON.stringify([method, params])

describe('a node by WebSocket', () => {
  it('a node with a WebSocket answers every operation over it, and the next URL gets no request of its own', async () => {
    const { call } = await serve([upstreams.socket.url, upstreams.first.url])
    const callAll = async () => {
      for (const [operation, input] of Object.entries(validInputs(upstreams.chain))) {
        expect(await call(operation, input), operation).toMatchObject({ status: 200 })
      }
    }
    // The first calls read what two nodes confirm once, such as the features of the router.
    await callAll()
    const listOwn = async () => {
      const before = upstreams.first.requests.length
      await callAll()
      const sent = upstreams.first.requests.slice(before).flatMap(({ calls }) => calls)
      // The chain id of every node is verified at the start, and some reads are compared between both nodes.
      const compared = new Set(upstreams.socket.calls.map(toRequest))
      return sent.filter((call) => call.method !== 'eth_chainId' && !compared.has(toRequest(call)))
    }
    // After a standstill of the machine, the next URL may answer first.
    await expect.poll(listOwn, eventually).toEqual([])
    expect(upstreams.socket.count('eth_call')).toBeGreaterThan(0)
  })

  it('a transaction can be broadcast over a WebSocket, and the next preview uses its block', async () => {
    const { call, preview } = await serve([wireUrl])
    const wallet = await createWallet(upstreams.chain)
    const transfer = { to: wallet.address, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' } as const
    const signedTransaction = await wallet.sign(call, transfer)
    const { data } = await call('transaction.broadcast', { signedTransaction })
    expect(data).toMatchObject({ status: 'success' })
    expect(await preview()).toMatchObject({ data: { blockNumber: data?.['blockNumber'] } })
  })

  it('new blocks arrive by subscription, without polls over another URL', async () => {
    const { url, preview, waitUntilSubscribed } = await serve([upstreams.first.url, upstreams.socket.url])
    await waitUntilSubscribed()
    const polls = countPolls()
    // Polls over the WebSocket keep returning the first block, so later ones can arrive by subscription only.
    const first = await readBlock()
    upstreams.socket.setAnswer((method, id) => (method === headPoll ? toReply(id, { result: first }) : undefined))
    for (let block = 0; block < 10; block += 1) {
      await mine()
      await waitForBlock(url, upstreams.chain)
      expect(await preview()).toMatchObject({ status: 200 })
    }
    expect(countPolls()).toBe(polls)
  })
})

describe('a WebSocket that fails', () => {
  it('the next URL is polled while the WebSocket is down, until it is connected again', async () => {
    const { url, preview } = await serve([wireUrl, upstreams.first.url])
    expect(await preview()).toMatchObject({ status: 200 })
    await wire.cut()
    await mine()
    await waitForBlock(url, upstreams.chain)
    expect(await preview()).toMatchObject({ status: 200 })
    await waitUntilPolled(3)

    await wire.restore()
    await vi.waitUntil(() => wire.countConnections() === 1, eventually)
    await waitUntilNotPolled()
    await mine()
    await waitForBlock(url, upstreams.chain)
    expect(await preview()).toMatchObject({ status: 200 })
  })

  it('a WebSocket that ends is 503 svc/upstream-unavailable, and opened again by the next request', async () => {
    const { call, preview } = await serve([wireUrl], { snapshotMaxAgeMs: 0 })
    await vi.waitUntil(async () => (await preview()).status === 200, eventually)
    for (let count = 0; count < 2; count += 1) {
      await wire.cut()
      expectFailure(await preview(), '503 svc/upstream-unavailable')
      expectFailure(await call('transaction.nonce', { address: owner.address }), '503 svc/upstream-unavailable')
      await wire.restore()
      expect(await preview()).toMatchObject({ status: 200 })
    }
  })

  it('a WebSocket that stalls is 504 svc/upstream-timeout, and opened again', async () => {
    const { preview } = await serve([wireUrl], { snapshotMaxAgeMs: 0 })
    await vi.waitUntil(async () => (await preview()).status === 200, eventually)
    wire.stall()
    expectFailure(await preview(), '504 svc/upstream-timeout')
    await wire.restore()
    expect(await preview()).toMatchObject({ status: 200 })
  })

  it('a WebSocket that stalls without traffic is detected, and heads are polled over another URL', async () => {
    const { url } = await serve([upstreams.first.url, wireUrl], { snapshotMaxAgeMs: 2000 })
    await vi.waitUntil(() => wire.countConnections() === 1, eventually)
    await waitUntilNotPolled()
    wire.stall()
    await waitUntilPolled(3)
    await mine()
    await waitForBlock(url, upstreams.chain)
  })

  it.each([
    ['carries garbage', '502 svc/upstream-error', () => 'garbage'],
    ['carries no JSON-RPC', '502 svc/upstream-error', () => '[]'],
    ['carries errors', '502 svc/upstream-error', toError({ code: -32603, message: 'internal error' })],
    ['limits our rate', '503 svc/upstream-unavailable', toError({ code: -32005, message: 'limit exceeded' })],
    ['limits the rate of all', '503 svc/upstream-unavailable', () => toReply(null, { error: { code: -32005 } })],
  ] as const)('a WebSocket that %s is %s', async (_, outcome, answer) => {
    const { preview } = await serve([upstreams.socket.url], { snapshotMaxAgeMs: 0 })
    await vi.waitUntil(async () => (await preview()).status === 200, eventually)
    upstreams.socket.setAnswer((_method, id) => answer(id))
    expectFailure(await preview(), outcome)
    upstreams.socket.reset()
    expect(await preview()).toMatchObject({ status: 200 })
  })

  it('a WebSocket without subscriptions is polled', async () => {
    upstreams.socket.setAnswer((method, id) =>
      method === 'eth_subscribe' ? toReply(id, { error: { code: -32601, message: 'no such method' } }) : undefined,
    )
    const { url, preview } = await serve([upstreams.socket.url])
    await mine()
    await waitForBlock(url, upstreams.chain)
    expect(await preview()).toMatchObject({ status: 200 })
    const polled = upstreams.socket.count(headPoll)
    await vi.waitUntil(() => upstreams.socket.count(headPoll) > polled + 3, eventually)
  })

  it('a stopped chain completes requests in flight and later ones, and then closes its WebSocket', async () => {
    const chain = createChain({ deployment: upstreams.chain.deployment, urls: [wireUrl] })
    onTestFinished(chain.stop)
    await chain.pools.getSnapshot()
    expect(wire.countConnections()).toBe(1)
    const inFlight = Promise.all([chain.transactions.readNonces(owner.address), chain.pools.getSnapshot()])
    chain.stop()
    expect(await inFlight).toMatchObject([{ latest: expect.any(Number) }, { pools: expect.any(Array) }])
    expect(await chain.transactions.readNonces(owner.address)).toMatchObject({ latest: expect.any(Number) })
    await vi.waitUntil(() => wire.countConnections() === 0, eventually)
  })
})

describe('a node that lags behind another', () => {
  it('a node that lags does not move previews back to an older block before the maximum age of the head', async () => {
    // Runs last: the clock must not go back while the service runs.
    onTestFinished(() => void vi.restoreAllMocks())
    const snapshotMaxAgeMs = 600_000
    const { url, preview } = await serve([upstreams.first.url], { snapshotMaxAgeMs })
    const older = await readBlock()
    await waitForBlock(url, upstreams.chain)
    for (let count = 0; count < 3; count += 1) {
      await mine()
      await waitForBlock(url, upstreams.chain)
    }
    const { data } = await preview()
    const newest = Number(data?.['blockNumber'])
    upstreams.first.setAnswer(resultOf(headPoll, older))
    const polls = countPolls()
    while (countPolls() < polls + 3) expect(await preview()).toMatchObject({ data: { blockNumber: newest } })

    // A head that no node confirms is used for its maximum age, and not forever: createHeads.test.ts has the exact time.
    advanceClock(snapshotMaxAgeMs)
    const isBack = async () => (await preview()).data?.['blockNumber'] === Number(older.number)
    await vi.waitUntil(isBack, eventually)
    upstreams.first.reset()
    await vi.waitUntil(async () => (await preview()).data?.['blockNumber'] === newest, eventually)
  })
})

function toReply(id: number | null, outcome: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...outcome })
}

function toError(fault: { readonly code: number; readonly message: string }) {
  return (id: number) => toReply(id, { error: fault })
}

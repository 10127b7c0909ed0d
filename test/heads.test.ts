import { createChain } from '@agio/chain'
import type { Localnet } from '@agio/localnet'
import { startServer, type Settings } from '@agio/server'
import { parseEther, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createRestCaller } from './contract/createRestCaller.ts'
import { createWallet } from './contract/createWallet.ts'
import { validInputs } from './contract/validInputs.ts'
import { error, errorOf, resultOf } from './stack/answers.ts'
import { connectOwner, type Owner } from './stack/connectOwner.ts'
import { apiKey, settingsFor } from './stack/settingsFor.ts'
import { headPoll, isHeadPoll, startProxy, type Proxy } from './stack/startProxy.ts'
import { startServerProcess } from './stack/startServerProcess.ts'
import { startSocketProxy, type SocketProxy } from './stack/startSocketProxy.ts'
import { startTcpProxy, type TcpProxy } from './stack/startTcpProxy.ts'
import { startTestLocalnet } from './stack/startTestLocalnet.ts'
import { waitForBlock } from './stack/waitForBlock.ts'

const soon = { timeout: 15_000, interval: 20 }

let localnet: Localnet
let owner: Owner
/** Over HTTP. */
let http: Proxy
/** Over a WebSocket that writes down what it carries. */
let socket: SocketProxy
/** Over a WebSocket straight to the node, whose connections can be cut. */
let wire: TcpProxy
let wireUrl: string

beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000 })
  const { rpcUrl } = localnet.chains[84532]
  owner = connectOwner(localnet.chains[84532])
  http = await startProxy(rpcUrl)
  socket = await startSocketProxy(rpcUrl)
  wire = await startTcpProxy(rpcUrl)
  wireUrl = wire.url.replace(/^http/, 'ws')
})

beforeEach(async () => {
  http.reset()
  socket.reset()
  await wire.restore()
})

afterAll(async () => {
  for (const part of [localnet, http, socket, wire]) await part?.[Symbol.asyncDispose]()
})

describe('a node by WebSocket', () => {
  it('answers every operation over its socket, and the next URL is not asked', async () => {
    const { call } = await serve([socket.url, http.url])
    const before = http.requests.length
    for (const [operation, input] of Object.entries(validInputs(localnet.chains[84532]))) {
      expect(await call(operation, input), operation).toMatchObject({ status: 200 })
    }
    // Which chain it serves is asked of every node at the start.
    const methods = http.requests.slice(before).flatMap(({ calls }) => calls.map(({ method }) => method))
    expect(methods.filter((method) => method !== 'eth_chainId')).toEqual([])
    expect(socket.count('eth_call')).toBeGreaterThan(0)
  })

  it('takes what is broadcast, and the block that it is mined in is seen at once', async () => {
    const { call, preview } = await serve([wireUrl])
    const wallet = await createWallet(localnet.chains[84532])
    const transfer = { to: wallet.address, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' } as const
    const signedTransaction = await wallet.sign(call, transfer)
    const { data } = await call('transaction.broadcast', { signedTransaction })
    expect(data).toMatchObject({ status: 'success' })
    expect(await preview()).toMatchObject({ data: { blockNumber: data?.['blockNumber'] } })
  })

  it('tells of each new block: nobody asks for them, over it or over another URL', async () => {
    const { url, preview, untilSubscribed } = await serve([http.url, socket.url])
    await untilSubscribed()
    const [polls, questions] = [countPolls(), socket.count(headPoll)]
    const startedAtMs = performance.now()
    // Long enough for many polls.
    while (performance.now() - startedAtMs < 3000) {
      await mine()
      await waitForBlock(url, localnet.chains[84532])
      expect(await preview()).toMatchObject({ status: 200 })
    }
    expect(countPolls()).toBe(polls)
    expect(socket.count(headPoll) - questions).toBeLessThanOrEqual((performance.now() - startedAtMs) / 1000)
  })

  it('is asked for the newest block where the chain is quiet, which stays confirmed by that', async () => {
    const { preview, isOk, untilSubscribed } = await serve([socket.url], { snapshotMaxAgeMs: 1600 })
    await untilSubscribed()
    await preview()
    const first = socket.calls.length
    while (socket.calls.length < first + 5) {
      expect(await preview()).toMatchObject({ status: 200 })
      expect(await isOk()).toBe(true)
    }
    const quiet = socket.calls.slice(first)
    expect(new Set(quiet.map(({ method }) => method))).toEqual(new Set([headPoll]))
    // Four times 0.8 s, but for what a busy machine makes uneven.
    expect((quiet[4]?.receivedAtMs ?? 0) - (quiet[0]?.receivedAtMs ?? 0)).toBeGreaterThan(2800)
  })

  it('that sends notices of no block is asked for the newest one instead', async () => {
    const { preview, untilSubscribed } = await serve([socket.url])
    await untilSubscribed()
    const { number } = await owner.client.getBlock()
    for (const garbage of [
      null,
      'garbage',
      {},
      { number: '0xffffff', hash: null, timestamp: '0x1' },
      { hash: '0x12' },
    ]) {
      const questions = socket.count(headPoll)
      socket.notify(garbage)
      await vi.waitUntil(() => socket.count(headPoll) > questions, soon)
      expect(await preview()).toMatchObject({ status: 200, data: { blockNumber: Number(number) } })
    }
  })

  it('that tells of an older block late does not take the head back', async () => {
    const { url, preview, untilSubscribed } = await serve([socket.url])
    await untilSubscribed()
    const older = await readBlock()
    await mine()
    await mine()
    await waitForBlock(url, localnet.chains[84532])
    const { data } = await preview()
    const questions = socket.count(headPoll)
    socket.setAnswer((method) => (method === headPoll ? 'nothing' : undefined))
    socket.notify(older)
    // The question that garbage brings about shows that what came before it was heard.
    socket.notify(null)
    await vi.waitUntil(() => socket.count(headPoll) > questions, soon)
    expect((await preview()).data?.['blockNumber']).toBe(data?.['blockNumber'])
  })

  it('tells of a reorganisation, which is followed', async () => {
    const { url, preview } = await serve([wireUrl])
    const id = await owner.client.snapshot()
    const send = (wei: bigint) => owner.client.sendTransaction({ to: owner.address, value: wei, chain: null })
    for (const wei of [1n, 2n]) await send(wei)
    await waitForBlock(url, localnet.chains[84532])
    await preview()
    await owner.client.revert({ id })
    await send(3n)
    await waitForBlock(url, localnet.chains[84532])
    const { number } = await owner.client.getBlock()
    expect(await preview()).toMatchObject({ status: 200, data: { blockNumber: Number(number) } })
  })
})

describe('a socket that', () => {
  it('ends hands over to the next URL, which is polled until the socket is back', async () => {
    const { url, preview } = await serve([wireUrl, http.url])
    expect(await preview()).toMatchObject({ status: 200 })
    await wire.cut()
    await mine()
    await waitForBlock(url, localnet.chains[84532])
    expect(await preview()).toMatchObject({ status: 200 })
    await untilPolled(3)

    await wire.restore()
    await vi.waitUntil(() => wire.countConnections() === 1, soon)
    await untilNotPolled()
    await mine()
    await waitForBlock(url, localnet.chains[84532])
    expect(await preview()).toMatchObject({ status: 200 })
  })

  it('ends is missed as a node that is gone, and opened again when it is there', async () => {
    const { call, preview } = await serve([wireUrl], { snapshotMaxAgeMs: 0 })
    await vi.waitUntil(async () => (await preview()).status === 200, soon)
    for (let count = 0; count < 2; count += 1) {
      await wire.cut()
      expectFailure(await preview(), '503 svc/upstream-unavailable')
      expectFailure(await call('transaction.nonce', { address: owner.address }), '503 svc/upstream-unavailable')
      await wire.restore()
      expect(await preview()).toMatchObject({ status: 200 })
    }
  })

  it('stalls is missed as a node that is too slow, within ten seconds, and opened again', async () => {
    const { preview } = await serve([wireUrl], { snapshotMaxAgeMs: 0 })
    await vi.waitUntil(async () => (await preview()).status === 200, soon)
    wire.stall()
    const startedAtMs = performance.now()
    expectFailure(await preview(), '504 svc/upstream-timeout')
    expect(performance.now() - startedAtMs).toBeLessThan(11_000)
    await wire.restore()
    expect(await preview()).toMatchObject({ status: 200 })
  })

  it('stalls while nobody asks over it is noticed, and heads are polled over another URL', async () => {
    const { url } = await serve([http.url, wireUrl], { snapshotMaxAgeMs: 2000 })
    await vi.waitUntil(() => wire.countConnections() === 1, soon)
    await untilNotPolled()
    wire.stall()
    await untilPolled(3)
    await mine()
    await waitForBlock(url, localnet.chains[84532])
  })

  it.each([
    ['carries garbage', '502 svc/upstream-error', () => 'garbage'],
    ['carries no JSON-RPC', '502 svc/upstream-error', () => '[]'],
    ['carries errors', '502 svc/upstream-error', toError({ code: -32603, message: 'internal error' })],
    ['limits our rate', '503 svc/upstream-unavailable', toError({ code: -32005, message: 'limit exceeded' })],
    ['limits the rate of all', '503 svc/upstream-unavailable', () => toReply(null, { error: { code: -32005 } })],
  ] as const)('%s: %s', async (_, outcome, answer) => {
    const { preview } = await serve([socket.url], { snapshotMaxAgeMs: 0 })
    await vi.waitUntil(async () => (await preview()).status === 200, soon)
    socket.setAnswer((_method, id) => answer(id))
    expectFailure(await preview(), outcome)
    socket.reset()
    expect(await preview()).toMatchObject({ status: 200 })
  })

  it('takes no subscriptions still answers, and is polled', async () => {
    socket.setAnswer((method, id) =>
      method === 'eth_subscribe' ? toReply(id, { error: { code: -32601, message: 'no such method' } }) : undefined,
    )
    const { url, preview } = await serve([socket.url])
    await mine()
    await waitForBlock(url, localnet.chains[84532])
    expect(await preview()).toMatchObject({ status: 200 })
    const questions = socket.count(headPoll)
    await vi.waitUntil(() => socket.count(headPoll) > questions + 3, soon)
  })

  it('was opened is closed when the service stops, and none is opened any more', async () => {
    const { preview, stop } = await serve([wireUrl])
    expect(await preview()).toMatchObject({ status: 200 })
    await vi.waitUntil(() => wire.countConnections() === 1, soon)
    await stop()
    await vi.waitUntil(() => wire.countConnections() === 0, soon)
  })

  it('carries what is in flight when the chain is stopped, and what comes after, and is closed then', async () => {
    const chain = createChain({ deployment: localnet.chains[84532].deployment, urls: [wireUrl] })
    onTestFinished(chain.stop)
    await chain.getSnapshot()
    expect(wire.countConnections()).toBe(1)
    const inFlight = Promise.all([chain.readNonces(owner.address), chain.getSnapshot()])
    chain.stop()
    expect(await inFlight).toMatchObject([{ latest: expect.any(Number) }, { pools: expect.any(Array) }])
    expect(await chain.readNonces(owner.address)).toMatchObject({ latest: expect.any(Number) })
    await vi.waitUntil(() => wire.countConnections() === 0, soon)
  })

  it.each(['Node', 'Deno'] as const)(
    'is open or stalled does not keep the process on %s',
    async (runtime) => {
      const settings = () => settingsFor(localnet, { rpcUrls: { ...urls(), 84532: [wireUrl] } })
      for (const fault of [async () => {}, async () => wire.stall(), () => wire.cut()]) {
        await using server = await startServerProcess(settings(), runtime)
        await vi.waitUntil(async () => (await createPreview(server.url)()).status === 200, soon)
        await fault()
        const startedAtMs = performance.now()
        await server.stop()
        expect(performance.now() - startedAtMs).toBeLessThan(10_000)
        await wire.restore()
        expect(server.lines.join('\n')).not.toMatch(/error/i)
      }
    },
    60_000,
  )
})

describe('a node that lags behind another', () => {
  it('does not take a preview back to an older block, while the head is young enough', async () => {
    const { url, preview } = await serve([http.url], { snapshotMaxAgeMs: 5000 })
    const older = await readBlock()
    await waitForBlock(url, localnet.chains[84532])
    for (let count = 0; count < 3; count += 1) {
      await mine()
      await waitForBlock(url, localnet.chains[84532])
    }
    const { data } = await preview()
    const newest = Number(data?.['blockNumber'])
    http.setAnswer(resultOf(headPoll, older))
    const polls = countPolls()
    const laggingAtMs = performance.now()
    while (countPolls() < polls + 3) expect(await preview()).toMatchObject({ data: { blockNumber: newest } })

    // What no node confirms any more is not used for longer than that, whatever comes instead.
    const isBack = async () => (await preview()).data?.['blockNumber'] === Number(older.number)
    await vi.waitUntil(isBack, soon)
    expect(performance.now() - laggingAtMs).toBeGreaterThan(3000)
    http.reset()
    await vi.waitUntil(async () => (await preview()).data?.['blockNumber'] === newest, soon)
  })

  it('does not hide a reorganisation, even to a lower block', async () => {
    const { url, preview } = await serve([http.url])
    const id = await owner.client.snapshot()
    for (let count = 0; count < 3; count += 1) {
      await mine()
      await waitForBlock(url, localnet.chains[84532])
    }
    await preview()
    await owner.client.revert({ id })
    await owner.client.sendTransaction({ to: owner.address, value: parseEther('1'), chain: null })
    await waitForBlock(url, localnet.chains[84532])
    const { number } = await owner.client.getBlock()
    expect(await preview()).toMatchObject({ status: 200, data: { blockNumber: Number(number) } })
  })

  it('and knows no block of that hash yet: the state is read from the next URL', async () => {
    http.setAnswer(errorOf('eth_call', { code: -32000, message: 'header not found' }))
    const { preview } = await serve([http.url, localnet.chains[84532].rpcUrl])
    expect(await preview()).toMatchObject({ status: 200 })
  })

  it('and is one of many behind one URL: the state is asked for once more', async () => {
    const { preview } = await serve([http.url])
    let refused = 0
    http.setAnswer(async (request, response, askNode) => {
      const isCall = request.calls.some(({ method }) => method === 'eth_call')
      if (isCall && (refused += 1) === 1)
        return error({ code: -32000, message: 'unknown block' })(request, response, askNode)
      response.writeHead(200, { 'content-type': 'application/json' }).end(await askNode())
    })
    expect(await preview()).toMatchObject({ status: 200 })
    expect(refused).toBeGreaterThan(1)
  })

  it.each([
    { code: -32000, message: 'header not found' },
    { code: -32001, message: 'block not found' },
    { code: -32602, message: 'unknown block' },
  ])('and stays so ($code): 502 svc/upstream-error, and the next request works', async (fault) => {
    const { call, preview } = await serve([http.url])
    const inputs = validInputs(localnet.chains[84532])
    http.setAnswer(errorOf('eth_call', fault))
    for (const operation of ['convert.preview', 'liquidity.previewDeposit', 'transaction.buildConvert'] as const) {
      expectFailure(await call(operation, inputs[operation]), '502 svc/upstream-error')
    }
    http.reset()
    expect(await preview()).toMatchObject({ status: 200 })
  })
})

/** Starts a service over the nodes of one chain, until the test ends. */
async function serve(nodes: readonly string[], settings: Partial<Settings> = {}) {
  const rpcUrls = { ...urls(), 84532: nodes }
  const subscriptions = socket.count('eth_subscribe')
  const { url, stop } = await startServer(settingsFor(localnet, { rpcUrls, ...settings }))
  onTestFinished(stop)
  return {
    url,
    call: createRestCaller({ url, apiKey }),
    preview: createPreview(url),
    /** Waits until it has subscribed by the socket that is written down, and knows the newest block. */
    async untilSubscribed() {
      await vi.waitUntil(() => socket.count('eth_subscribe') > subscriptions, soon)
      await waitForBlock(url, localnet.chains[84532])
    },
    isOk: async () => (await fetch(`${url}/health`)).ok,
    stop,
  }
}

function urls() {
  return { 421614: [localnet.chains[421614].rpcUrl] }
}

function createPreview(url: string) {
  const call = createRestCaller({ url, apiKey })
  return () => call('convert.preview', validInputs(localnet.chains[84532])['convert.preview'])
}

type Outcome = Awaited<ReturnType<ReturnType<typeof createPreview>>>

/** What an operation failed with. Nothing of it tells where the node is. */
function expectFailure(outcome: Outcome, expected: string): void {
  expect(`${outcome.status} ${outcome.failure?.code}`).toBe(expected)
  expect(JSON.stringify(outcome)).not.toMatch(/127\.0\.0\.1|localhost|(http|ws)s?:\/\//)
}

const mine = () => owner.client.mine({ blocks: 1 })

/** The newest block, as a node tells of it. */
async function readBlock() {
  const { number, hash, parentHash, timestamp } = await owner.client.getBlock()
  return { number: toHex(number), hash, parentHash, timestamp: toHex(timestamp) }
}

const countPolls = () => http.requests.filter(isHeadPoll).length

async function untilPolled(times: number): Promise<void> {
  const before = countPolls()
  await vi.waitUntil(() => countPolls() >= before + times, soon)
}

/** Waits until nobody has polled over HTTP for twice as long as an idle service rests between two polls. */
async function untilNotPolled(): Promise<void> {
  await vi.waitUntil(() => performance.now() - (http.requests.findLast(isHeadPoll)?.receivedAtMs ?? 0) > 2000, soon)
}

function toReply(id: number | null, outcome: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...outcome })
}

function toError(fault: { readonly code: number; readonly message: string }) {
  return (id: number) => toReply(id, { error: fault })
}

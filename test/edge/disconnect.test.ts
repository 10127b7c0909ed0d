import type { LocalChain, Localnet } from '@agio/localnet'
import type { Hex } from 'viem'
import { keccak256 } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { createPayer } from '../harness/createPayer.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { requestQuote } from '../harness/executeQuote.ts'
import { holdRequests } from '../harness/holdRequests.ts'
import { adminKey, apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startProxy, type ProxiedRequest, type Proxy } from '../harness/startProxy.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { eventually } from '../harness/timeLimits.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'

const runtime = inject('extent') === 'nightly' ? 'Deno' : 'Node'

// Longer than any wait of these tests.
const broadcastWaitMs = 3_600_000

let localnet: Localnet
let chain: LocalChain
let owner: Owner
let proxy: Proxy
let call: Caller
let server: { readonly url: string; stop(): Promise<void> }

beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000, onDisk: true })
  chain = localnet.chains[84532]
  owner = connectOwner(chain)
  proxy = await startProxy(chain.rpcUrl)
  const changes = { broadcastWaitMs, rpcUrls: { 84532: [proxy.url] } }
  server =
    runtime === 'Node'
      ? await startTestServer(localnet, changes, { nodeTimeoutMs: eventually.timeout })
      : await startServerProcess(settingsFor(localnet, changes), runtime)
  call = createRestCaller({ url: server.url, apiKey })
})

beforeEach(() => {
  proxy.reset()
})

afterEach(() => owner.client.setAutomine(true))

afterAll(async () => {
  await server?.stop()
  await proxy?.[Symbol.asyncDispose]()
  await localnet?.stop()
})

/** How a client sends a call. A batch has it twice. */
const transports = {
  REST: { path: (_: string, path: string) => `/api/v1/${path}`, isBatch: false, headers: {} },
  'REST by a browser': {
    path: (_: string, path: string) => `/api/v1/${path}`,
    isBatch: false,
    headers: { origin: 'https://app.example' },
  },
  tRPC: { path: (name: string) => `/trpc/${name}`, isBatch: false, headers: {} },
  'a batch of tRPC': { path: (name: string) => `/trpc/${name},${name}?batch=1`, isBatch: true, headers: {} },
} as const

type Transport = keyof typeof transports

const operations = {
  'transaction.broadcast': 'transaction/broadcast',
  'transaction.broadcastConvert': 'transaction/broadcast/convert',
  'transaction.status': 'transaction/status',
  'faucet.buildClaimAll': 'faucet/build/claim-all',
} as const

/** Sends a call, and returns the function that closes its connection, and its status. */
function send(transport: Transport, name: keyof typeof operations, input: object) {
  const { path, isBatch, headers } = transports[transport]
  const closing = new AbortController()
  const response = fetch(`${server.url}${path(name, operations[name])}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...headers },
    body: JSON.stringify(isBatch ? { 0: input, 1: input } : input),
    signal: closing.signal,
  })
  const status = response.then(
    (answered) => answered.status,
    () => 'disconnected',
  )
  return { status, disconnect: () => closing.abort() }
}

/** Reads how many requests have ended, by the status that the service has recorded. */
async function countEnded(transport: Transport, name: string): Promise<Readonly<Record<string, number>>> {
  const operation = transports[transport].isBatch ? 'batch' : name
  const pattern = new RegExp(`^agio_requests_total\\{operation="${operation}",status="(\\d+)"\\} (\\d+)$`, 'gm')
  return Object.fromEntries(Array.from((await readMetrics()).matchAll(pattern), ([, status, n]) => [status, Number(n)]))
}

async function readMetrics(): Promise<string> {
  return await (await fetch(`${server.url}/metrics`, { headers: { 'x-admin-key': adminKey } })).text()
}

async function countMined(): Promise<number> {
  return Number(/^agio_quotes_total\{event="mined"\} (\d+)$/m.exec(await readMetrics())?.[1])
}

/** Waits until one more request of a transport has ended, as one that its client has left: the service is not at fault. */
async function expectLeft(transport: Transport, name: string, before: Readonly<Record<string, number>>): Promise<void> {
  const left = { ...before, 400: (before['400'] ?? 0) + 1 }
  await expect.poll(() => countEnded(transport, name), eventually).toEqual(left)
}

const calls = (method: string) => (request: ProxiedRequest) => request.calls.some((one) => one.method === method)

const countCalls = (method: string) =>
  proxy.requests.flatMap((request) => request.calls).filter((one) => one.method === method).length

async function waitForCalls(method: string, { before, count = 1 }: { before: number; count?: number }): Promise<void> {
  await vi.waitUntil(() => countCalls(method) >= before + count, eventually)
}

async function signTransfer(): Promise<Hex> {
  const wallet = await createWallet(chain)
  return await wallet.sign(call, { to: wallet.address, data: '0x', value: '0', chainId: 84532, gasLimit: '21000' })
}

const names = Object.keys(transports) as readonly Transport[]

describe(`a client that disconnects from a service on ${runtime}`, () => {
  it.each(names)('over %s no longer waits for its transaction, which is mined all the same', async (transport) => {
    const signedTransaction = await signTransfer()
    const before = await countEnded(transport, 'transaction.broadcast')
    await owner.client.setAutomine(false)
    const readsBefore = countCalls('eth_getTransactionReceipt')
    const { status, disconnect } = send(transport, 'transaction.broadcast', { signedTransaction })
    const count = transports[transport].isBatch ? 2 : 1
    await waitForCalls('eth_getTransactionReceipt', { before: readsBefore, count })
    disconnect()
    expect(await status).toBe('disconnected')
    await expectLeft(transport, 'transaction.broadcast', before)
    const reads = countCalls('eth_getTransactionReceipt')
    await owner.client.mine({ blocks: 1 })
    await waitForBlock(server.url, chain)
    const hash = keccak256(signedTransaction)
    expect(await owner.client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(countCalls('eth_getTransactionReceipt'), 'no node is read for a client that has gone').toBe(reads)
    expect(await call('transaction.status', { transactionHash: hash })).toMatchObject({ data: { status: 'success' } })
  })

  it.each(names)('over %s no longer waits for a node that does not answer', async (transport) => {
    const before = await countEnded(transport, 'transaction.status')
    const hold = holdRequests(proxy)(calls('eth_getTransactionReceipt'))
    const readsBefore = countCalls('eth_getTransactionReceipt')
    const { status, disconnect } = send(transport, 'transaction.status', { transactionHash: keccak256('0x01') })
    await waitForCalls('eth_getTransactionReceipt', { before: readsBefore })
    disconnect()
    expect(await status).toBe('disconnected')
    await expectLeft(transport, 'transaction.status', before)
    hold.pass()
  })

  it('ends no read that another client waits for', async () => {
    const { address } = await createWallet(chain)
    const input = { chainId: 84532, userAddress: address }
    const before = await countEnded('REST', 'faucet.buildClaimAll')
    const hold = holdRequests(proxy)(calls('eth_call'))
    const readsBefore = countCalls('eth_call')
    // The terms of the faucet are read once, for the first client that needs them.
    const first = send('REST', 'faucet.buildClaimAll', input)
    await waitForCalls('eth_call', { before: readsBefore })
    const second = send('tRPC', 'faucet.buildClaimAll', input)
    first.disconnect()
    expect(await first.status).toBe('disconnected')
    await expectLeft('REST', 'faucet.buildClaimAll', before)
    hold.pass()
    expect(await second.status).toBe(200)
  })

  // Deno's server reports no disconnect for a body that arrives after its headers, as one with a quote does.
  it.skipIf(runtime === 'Deno')('leaves a quote behind that is observed as mined', async () => {
    const { tokens } = chain
    const input = { chainId: 84532, tokenIn: tokens['tAUD'], tokenOut: tokens['tUSD'], amountIn: '10' }
    const { quote, spender, tokenIn } = await requestQuote(call, input)
    const payer = await createPayer(chain, { token: tokenIn.address, amountRaw: 10_000_000n, spender })
    const built = await call('transaction.buildConvert', { quote, userAddress: payer.address })
    const signedTransaction = await payer.sign(call, built.data as unknown as Unsigned)
    const [before, minedBefore] = [await countEnded('REST', 'transaction.broadcastConvert'), await countMined()]
    await owner.client.setAutomine(false)
    const readsBefore = countCalls('eth_getTransactionReceipt')
    const { status, disconnect } = send('REST', 'transaction.broadcastConvert', { quote, signedTransaction })
    await waitForCalls('eth_getTransactionReceipt', { before: readsBefore })
    disconnect()
    expect(await status).toBe('disconnected')
    await expectLeft('REST', 'transaction.broadcastConvert', before)
    await owner.client.mine({ blocks: 1 })
    await expect.poll(countMined, eventually).toBe(minedBefore + 1)
  })
})

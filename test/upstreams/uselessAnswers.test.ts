import type { Localnet } from '@agio/localnet'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { validInputs } from '../harness/validInputs.ts'
import { answerEachCall, type NodeCall, type NodeReply } from '../harness/answerEachCall.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startProxy, type Proxy } from '../harness/startProxy.ts'
import { startSocketProxy, type SocketProxy } from './startSocketProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { startTestServer } from '../harness/startTestServer.ts'

/** The operations that read through the service's own code. */
const operations = [
  'convert.preview',
  'transaction.buildConvert',
  'liquidity.previewDeposit',
  'approval.check',
  'faucet.info',
  'faucet.buildClaimAll',
] as const

type Outcome = Pick<NodeReply, 'result' | 'error'>

// Every result is longer than these bytes.
const bytes = 4096
const kinds: readonly (readonly [string, Outcome])[] = [
  ['no bytes', { result: '0x' }],
  ['one word', { result: `0x${'0'.repeat(63)}1` }],
  ['all ones', { result: `0x${'f'.repeat(2 * bytes)}` }],
  ['all zeros', { result: `0x${'0'.repeat(2 * bytes)}` }],
  ['an empty revert', { error: { code: 3, message: 'execution reverted', data: '0x' } }],
  ['a rejection of the overrides', { error: { code: -32602, message: 'too many arguments, want at most 2' } }],
]

let localnet: Localnet
let proxy: Proxy
let socket: SocketProxy
let services: Readonly<Record<'over HTTP' | 'over a WebSocket' | 'alone', Service>>
const starting = new AsyncDisposableStack()
beforeAll(async () => {
  localnet = starting.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  const { rpcUrl } = localnet.chains[84532]
  proxy = starting.use(await startProxy(rpcUrl))
  socket = starting.use(await startSocketProxy(rpcUrl))
  services = {
    'over HTTP': starting.use(await serve([proxy.url, rpcUrl])),
    'over a WebSocket': starting.use(await serve([socket.url, rpcUrl])),
    alone: starting.use(await serve([proxy.url])),
  }
})
beforeEach(async () => {
  proxy.reset()
  socket.reset()
  for (const { call } of Object.values(services)) {
    const isServed = async () => (await Promise.all(operations.map((name) => call(name)))).every(isOk)
    await vi.waitUntil(isServed, eventually)
  }
})
afterAll(() => starting.disposeAsync())

describe.each(['over HTTP', 'over a WebSocket'] as const)('a first node %s with useless answers', (place) => {
  it.each(kinds)(
    `every operation continues over the second node if the first one ${place} answers with %s`,
    async (_, outcome) => {
      answerWith(() => outcome)
      const { call, seeNewBlock } = services[place]
      for (let block = 0; block < 3; block += 1) {
        await mine()
        const before = operations.map((name) => call(name))
        await seeNewBlock()
        const after = operations.map((name) => call(name))
        expect((await Promise.all([...before, ...after])).filter((answer) => !isOk(answer))).toEqual([])
      }
    },
  )
})

it('every operation continues over the second node if the first one truncates its results', async () => {
  proxy.setAnswer(
    answerEachCall(localnet.chains[84532].rpcUrl, async (call, callNode) => {
      const reply = await callNode(call)
      return call.method === 'eth_call' ? { ...reply, result: String(reply.result).slice(0, -64) } : reply
    }),
  )
  const { call, seeNewBlock } = services['over HTTP']
  await mine()
  await seeNewBlock()
  expect((await Promise.all(operations.map((name) => call(name)))).filter((answer) => !isOk(answer))).toEqual([])
})

it.each(kinds)(
  '%s of a lone node is 502 svc/upstream-error, and operations without contract reads continue',
  async (_, outcome) => {
    answerWith(() => outcome)
    await mine()
    const { call } = services.alone
    const failure = { status: 502, failure: { code: 'svc/upstream-error' } }
    // A preview may continue from the previous block until it expires.
    await expect.poll(() => call('convert.preview'), eventually).toMatchObject(failure)
    for (const name of operations) expect(await call(name), name).toMatchObject(failure)
    for (let count = 0; count < 10; count += 1) expect(await call('transaction.nonce')).toMatchObject({ status: 200 })
  },
)

/** Replaces the answers of both proxies to every `eth_call`. */
function answerWith(answer: (call: Pick<NodeCall, 'method'>) => Outcome): void {
  const { rpcUrl } = localnet.chains[84532]
  proxy.setAnswer(
    answerEachCall(rpcUrl, async (call, callNode) =>
      call.method === 'eth_call' ? { id: call.id, ...answer(call) } : await callNode(call),
    ),
  )
  socket.setAnswer((method, id) =>
    method === 'eth_call' ? JSON.stringify({ jsonrpc: '2.0', id, ...answer({ method }) }) : undefined,
  )
}

async function mine(): Promise<void> {
  await connectOwner(localnet.chains[84532]).client.mine({ blocks: 1 })
}

function isOk({ status }: { readonly status: number }): boolean {
  return status === 200
}

async function serve(nodes: readonly string[]) {
  const { url, stop } = await startTestServer(localnet, { rpcUrls: { 84532: nodes } })
  const chain = localnet.chains[84532]
  const [request, inputs] = [createRestCaller({ url, apiKey }), validInputs(chain)]
  return {
    call: async (name: keyof typeof inputs) => await request(name, inputs[name]),
    seeNewBlock: async () => await waitForBlock(url, chain),
    [Symbol.asyncDispose]: stop,
  }
}

type Service = Awaited<ReturnType<typeof serve>>

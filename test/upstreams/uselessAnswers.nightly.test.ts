import { expect, it, onTestFinished } from 'vitest'
import type { NodeCall, NodeReply } from '../harness/answerEachCall.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { eventually } from '../harness/timeLimits.ts'
import { validInputs } from '../harness/validInputs.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { useUpstreams } from './startUpstreams.ts'

// Further answers are proven on fake nodes: packages/chain/src/reader/createReader.test.ts and selection/createFailover.test.ts.

const upstreams = useUpstreams()

/** The operations that read through the service's own code. */
const withContractReads = [
  'convert.preview',
  'transaction.buildConvert',
  'liquidity.previewDeposit',
  'approval.check',
  'faucet.info',
  'faucet.buildClaimAll',
] as const
const operations = [...withContractReads, 'convert.quote', 'transaction.nonce'] as const

type Lie = readonly [name: string, isLie: (method: string) => boolean, outcome: Omit<NodeReply, 'id'>]

const toCalls: readonly Lie[] = [
  ['no bytes to calls', (method) => method === 'eth_call', { result: '0x' }],
  [
    'a rejection of the overrides to calls',
    (method) => method === 'eth_call',
    { error: { code: -32602, message: 'too many arguments, want at most 2' } },
  ],
]
const toOthers: readonly Lie[] = [
  [
    'a revert to reads of the newest block',
    (method) => method === 'eth_getBlockByNumber',
    { error: { code: 3, message: 'execution reverted' } },
  ],
  [
    'too little funds to reads of fees, nonces and balances',
    (method) => /feeHistory|getTransactionCount|getBalance/.test(method),
    { error: { code: -32000, message: 'insufficient funds' } },
  ],
  [
    'invalid parameters to everything but its chain id',
    (method) => method !== 'eth_chainId',
    { error: { code: -32602, message: 'invalid params' } },
  ],
]

const lies = [
  ...[...toCalls, ...toOthers].map((lie) => ['HTTP', ...lie] as const),
  ...toCalls.map((lie) => ['a WebSocket', ...lie] as const),
]

it.each(lies)(
  'every operation continues over the second node if the first one answers over %s with %s',
  async (transport, ...lie) => {
    const node = transport === 'HTTP' ? upstreams.first : upstreams.socket
    const { url, call } = await serve([node.url, upstreams.second.url])
    const callAll = async () => {
      const outcomes = await Promise.all(operations.map((name) => call(name)))
      return outcomes.filter(({ status }) => status !== 200)
    }
    expect(await callAll()).toEqual([])
    const countLies = tell(lie)
    for (let block = 0; block < 2; block += 1) {
      await connectOwner(upstreams.chain).client.mine({ blocks: 1 })
      expect(await callAll()).toEqual([])
      await waitForBlock(url, upstreams.chain)
      expect(await callAll()).toEqual([])
    }
    expect(countLies()).toBeGreaterThan(0)
  },
)

it.each(toCalls)(
  'a lone node that answers with %s is 502 svc/upstream-error, and operations without contract reads continue',
  async (...lie) => {
    const { call } = await serve([upstreams.first.url])
    expect(await call('convert.preview')).toMatchObject({ status: 200 })
    tell(lie)
    await connectOwner(upstreams.chain).client.mine({ blocks: 1 })
    const failure = { status: 502, failure: { code: 'svc/upstream-error' } }
    // A preview continues from the previous block until the service has the next one.
    await expect.poll(() => call('convert.preview'), eventually).toMatchObject(failure)
    for (const name of withContractReads) expect(await call(name), name).toMatchObject(failure)
    for (let count = 0; count < 10; count += 1) expect(await call('transaction.nonce')).toMatchObject({ status: 200 })
  },
)

/** Makes the first node lie over HTTP and over its WebSocket. Returns how often it has. */
function tell([, isLie, outcome]: Lie): () => number {
  const { first, socket, answerCalls } = upstreams
  let count = 0
  const find = ({ id, method }: Pick<NodeCall, 'id' | 'method'>): NodeReply | undefined => {
    if (!isLie(method)) return undefined
    count += 1
    return { id, ...outcome }
  }
  answerCalls(first, async (call, callNode) => find(call) ?? (await callNode(call)))
  socket.setAnswer((method, id) => {
    const lie = find({ id, method })
    return lie && JSON.stringify({ jsonrpc: '2.0', ...lie })
  })
  return () => count
}

/** Starts a service over nodes until the test ends. No head stays confirmed, so every request needs the nodes. */
async function serve(nodes: readonly string[]) {
  const { localnet, chain } = upstreams
  const { url, stop } = await startTestServer(localnet, { snapshotMaxAgeMs: 0, rpcUrls: { 84532: nodes } })
  onTestFinished(() => stop())
  const [request, inputs] = [createRestCaller({ url, apiKey }), validInputs(chain)]
  return { url, call: async (name: keyof typeof inputs) => await request(name, inputs[name]) }
}

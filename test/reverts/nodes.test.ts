import type { LocalChain } from '@agio/localnet'
import { encodeErrorResult, parseAbi } from 'viem'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Unsigned } from '../harness/createWallet.ts'
import { validInputs } from '../harness/validInputs.ts'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { placeRefuser, removeCodeHash, type Refuser } from './placeRefuser.ts'
import { signConversion } from '../harness/signConversion.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import type { Answer, Proxy } from '../harness/startProxy.ts'
import { setUp } from '../harness/setUp.ts'

const transports = ['REST', 'tRPC'] as const
const swap = 'originSwap(address,address,uint256,uint256,uint256)'
const message = 'Curve/lower-halt'
const revert = { name: 'Error', args: [message] }

const stack = setUp(() =>
  startProxiedStack({
    prepare: async (localnet) => {
      chain = localnet.chains[84532]
      await removeCodeHash(localnet, chain, chain.pools['tAUD/tUSD'])
      pool = await placeRefuser(chain, chain.pools['tAUD/tUSD'])
      return {}
    },
  }),
)
let chain: LocalChain
let proxy: Proxy
let pool: Refuser

beforeAll(async () => {
  proxy = stack.proxies[84532]
})

it.each(transports)(
  'a revert message is explained although the node returns it in its error message only (%s)',
  async (transport) => {
    const { signedTransaction } = await signConversion(chain, stack.callers.REST)
    await revertOver(messageOnlyNode)
    const call = stack.callers[transport]
    const failure = { code: 'svc/above-max-origin', amountIn: '1000.000000' }
    const built = await call('transaction.buildConvert', validInputs(chain)['transaction.buildConvert'])
    expect(built).toMatchObject({ status: 422, failure })
    const sent = await call('transaction.broadcast', { signedTransaction })
    expect(sent).toMatchObject({ data: { status: 'failed', failure: { code: 'svc/above-max-origin', revert } } })
  },
)

it.each(transports)(
  'a mined revert is a failed transaction, although the node answers with an error (%s)',
  async (transport) => {
    const { signedTransaction } = await signConversion(chain, stack.callers.REST)
    await revertOver(errorAfterMiningNode)
    const sent = await stack.callers[transport]('transaction.broadcast', { signedTransaction })
    expect(sent).toMatchObject({
      status: 200,
      data: { status: 'failed', failure: { code: 'svc/above-max-origin', revert } },
    })
  },
)

it('a mined failure for lack of gas is explained, although the node replays calls with more gas', async () => {
  const call = stack.callers.REST
  const { trader } = await signConversion(chain, call)
  const request = { ...validInputs(chain)['transaction.buildConvert'], userAddress: trader.address }
  const { data } = await call('transaction.buildConvert', request)
  const signedTransaction = await trader.sign(call, { ...(data as unknown as Unsigned), gasLimit: '100000' })
  onTestFinished(() => proxy.reset())
  proxy.setAnswer(limitlessNode(chain.rpcUrl))
  expect(await call('transaction.broadcast', { signedTransaction })).toMatchObject({
    data: { status: 'failed', failure: { code: 'svc/reverted', revert: { name: 'OutOfGas', args: ['100000'] } } },
  })
})

/** Makes the pool revert, over a node that reports it in its own way, until the test ends. */
async function revertOver(nodeOf: (nodeUrl: string) => Answer): Promise<void> {
  onTestFinished(async () => {
    proxy.reset()
    await pool.allow(swap)
  })
  await pool.refuse(swap, encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [message] }))
  proxy.setAnswer(nodeOf(chain.rpcUrl))
}

/** Answers as a node that omits revert data, and puts the reason into its error message. */
function messageOnlyNode(nodeUrl: string): Answer {
  return answerEachCall(nodeUrl, async (call, callNode) => {
    const reply = await callNode(call)
    if (!reply.error) return reply
    const reason = /reverted with reason string '(.*)'/.exec((reply.error as Error).message)?.[1]
    return { id: reply.id, error: { code: -32000, message: `execution reverted${reason ? `: ${reason}` : ''}` } }
  })
}

/** Answers calls without their gas limit. */
function limitlessNode(nodeUrl: string): Answer {
  return answerEachCall(nodeUrl, async (call, callNode) => {
    if (call.method !== 'eth_call') return await callNode(call)
    const [request, ...others] = call.params as readonly [Readonly<Record<string, unknown>>, ...unknown[]]
    const { gas: _, ...unlimited } = request
    return await callNode({ ...call, params: [unlimited, ...others] })
  })
}

/** Answers as a node that mines a transaction, and returns an error all the same if it reverted. */
function errorAfterMiningNode(nodeUrl: string): Answer {
  return answerEachCall(nodeUrl, async (call, callNode) => {
    const reply = await callNode(call)
    if (call.method !== 'eth_sendRawTransaction') return reply
    return { id: call.id, error: { code: 3, message: 'execution reverted', data: '0x' } }
  })
}

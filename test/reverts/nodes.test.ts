import type { LocalChain } from '@agio/localnet'
import { encodeErrorResult, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { validInputs } from '../contract/validInputs.ts'
import { placeRefuser, type Refuser } from '../stack/placeRefuser.ts'
import { signConversion } from '../stack/signConversion.ts'
import { startProxy, type Answer, type Proxy } from '../stack/startProxy.ts'
import { startStack, type Stack } from '../stack/startStack.ts'
import { complainAfterwards } from './complainAfterwards.ts'
import { tellByWords } from './tellByWords.ts'

const transports = ['REST', 'tRPC'] as const
const swap = 'originSwap(address,address,uint256,uint256,uint256)'
const sentence = 'Curve/lower-halt'
const revert = { name: 'Error', args: [sentence] }

let stack: Stack
let chain: LocalChain
let proxy: Proxy
let pool: Refuser

beforeAll(async () => {
  stack = await startStack(async ({ chains }) => {
    chain = chains[84532]
    proxy = await startProxy(chain.rpcUrl)
    pool = await placeRefuser(chain, chain.pools['tAUD/tUSD'])
    return { rpcUrls: { 84532: [proxy.url], 421614: [chains[421614].rpcUrl] } }
  })
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await proxy?.[Symbol.asyncDispose]()
})

it.each(transports)('a sentence is found where a node tells it in its message alone (%s)', async (transport) => {
  const { signedTransaction } = await signConversion(chain, stack.callers.REST)
  await refuseOver(tellByWords)
  const call = stack.callers[transport]
  const failure = { code: 'svc/above-max-origin', amountIn: '1000.000000' }
  const built = await call('transaction.buildConvert', validInputs(chain)['transaction.buildConvert'])
  expect(built).toMatchObject({ status: 422, failure })
  const sent = await call('transaction.broadcast', { signedTransaction })
  expect(sent).toMatchObject({ data: { status: 'failed', failure: { code: 'svc/above-max-origin', revert } } })
})

it.each(transports)('what is mined is failed, not refused, whatever a node answers to it (%s)', async (transport) => {
  const { signedTransaction } = await signConversion(chain, stack.callers.REST)
  await refuseOver(complainAfterwards)
  const sent = await stack.callers[transport]('transaction.broadcast', { signedTransaction })
  expect(sent).toMatchObject({
    status: 200,
    data: { status: 'failed', failure: { code: 'svc/above-max-origin', revert } },
  })
})

/** Lets the pool refuse, and its node tell it in its own way, until the test ends. */
async function refuseOver(nodeOf: (nodeUrl: string) => Answer): Promise<void> {
  onTestFinished(async () => {
    proxy.reset()
    await pool.allow(swap)
  })
  await pool.refuse(swap, encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [sentence] }))
  proxy.setAnswer(nodeOf(chain.rpcUrl))
}

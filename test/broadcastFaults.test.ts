import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWallet } from './contract/createWallet.ts'
import { errorOf } from './stack/answers.ts'
import { startProxy, type Answer, type Proxy } from './stack/startProxy.ts'
import { startStack, type Stack } from './stack/startStack.ts'

let proxy: Proxy
let stack: Stack
beforeAll(async () => {
  stack = await startStack(async ({ chains }) => {
    proxy = await startProxy(chains[84532].rpcUrl)
    return { rpcUrls: { 84532: [proxy.url], 421614: [chains[421614].rpcUrl] }, broadcastWaitMs: 200 }
  })
})
beforeEach(() => {
  proxy.reset()
})
afterAll(async () => {
  await stack[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

describe('a broadcast over a faulty node', () => {
  it('a failed look-up of a mined transaction is reported as a fault of the node, never as a used nonce', async () => {
    const { broadcast } = await signTransfer()
    expect(await broadcast()).toMatchObject({ status: 200, data: { status: 'success' } })
    proxy.setAnswer(refuse('eth_getTransactionByHash'))
    expect(await broadcast()).toMatchObject({ status: 503, failure: { code: 'svc/upstream-unavailable' } })
    proxy.reset()
    expect(await broadcast()).toMatchObject({ status: 200, data: { status: 'success' } })
  })

  it('a failed look-up of the receipt is answered as pending, with the transaction hash', async () => {
    const { broadcast } = await signTransfer()
    proxy.setAnswer(refuse('eth_getTransactionReceipt'))
    const sent = await broadcast()
    expect(sent).toMatchObject({
      status: 200,
      data: { status: 'pending', transactionHash: expect.stringMatching(/^0x/) },
    })
    proxy.reset()
    const { transactionHash } = sent.data ?? {}
    expect(await stack.callers.REST('transaction.status', { transactionHash })).toMatchObject({
      data: { status: 'success' },
    })
  })

  it('a node that was unavailable for one build is called again at the next', async () => {
    const { tokens } = stack.localnet.chains[84532]
    const wallet = await createWallet(stack.localnet.chains[84532])
    const request = { userAddress: wallet.address, tokenIn: tokens['tEUR'], tokenOut: tokens['tUSD'], amountIn: '1' }
    const build = () => stack.callers.REST('transaction.buildConvert', { ...request, minAmountOut: '1' })
    await stack.callers.REST('pools.list', {})
    proxy.setAnswer(errorOf('eth_call', { code: -32000, message: 'header not found' }))
    await build()
    proxy.reset()
    expect(await build()).toMatchObject({ status: 200, data: { gasEstimateSource: 'call-as-if' } })
  })
})

async function signTransfer() {
  const wallet = await createWallet(stack.localnet.chains[84532])
  const transfer = { to: wallet.address, data: '0x', value: '0', chainId: 84532, gasLimit: '21000' } as const
  const signedTransaction = await wallet.sign(stack.callers.REST, transfer)
  return { broadcast: () => stack.callers.REST('transaction.broadcast', { signedTransaction }) }
}

/** Responds with 503 to every request that contains a call of the method. */
function refuse(method: string): Answer {
  return async ({ calls }, response, callNode) => {
    const isRefused = calls.some((call) => call.method === method)
    response.writeHead(isRefused ? 503 : 200, { 'content-type': 'application/json' })
    response.end(isRefused ? '' : await callNode())
  }
}

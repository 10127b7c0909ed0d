import { keccak256 } from 'viem'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { createWallet } from '../harness/createWallet.ts'
import { breakOff, errorOf, neverAnswer, text } from '../harness/answers.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import type { Answer, Proxy } from '../harness/startProxy.ts'
import { setUp } from '../harness/setUp.ts'

let proxy: Proxy
const stack = setUp(() => startProxiedStack({ broadcastWaitMs: 200 }))
beforeAll(async () => {
  proxy = stack.proxies[84532]
})
beforeEach(() => {
  proxy.reset()
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

  it('a transaction that a node takes, answers with an unknown error and shows late is answered as mined', async () => {
    const { broadcast } = await signTransfer()
    proxy.setAnswer(takeAndDeny('failed to forward tx to sequencer, please try again'))
    expect(await broadcast()).toMatchObject({ status: 200, data: { status: 'success' } })
  })

  it.each(['context deadline exceeded', 'queue is full', 'words that no table knows'])(
    'a broadcast to which a node responds that %s ends with the hash, and may be repeated',
    async (message) => {
      const { broadcast, signedTransaction } = await signTransfer()
      proxy.setAnswer(errorOf('eth_sendRawTransaction', { code: -32000, message }))
      const transactionHash = keccak256(signedTransaction)
      const failure = { code: 'svc/upstream-error', retryable: true, action: 'retry', transactionHash }
      expect(await broadcast()).toMatchObject({ status: 502, failure })
      proxy.reset()
      expect(await broadcast()).toMatchObject({ status: 200, data: { status: 'success', transactionHash } })
    },
  )

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

describe('a quote over a faulty node', () => {
  it('a quote that no client gets, since its wallet cannot be read, is not counted as issued', async () => {
    const { tokens } = stack.localnet.chains[84532]
    const { address: userAddress } = await createWallet(stack.localnet.chains[84532])
    const input = { tokenIn: tokens['tEUR'], tokenOut: tokens['tUSD'], amountIn: '1', userAddress }
    expect(await stack.callers.REST('convert.quote', input)).toMatchObject({ status: 200 })
    expect(await readIssued()).toBe(1)
    proxy.setAnswer(errorOf('eth_call', { code: -32000, message: 'header not found' }))
    const { status } = await stack.callers.REST('convert.quote', input)
    expect(status).toBeGreaterThanOrEqual(500)
    expect(await readIssued()).toBe(1)
  })
})

describe('a broadcast that a node takes without confirming it', () => {
  it.each([
    [502, 'svc/upstream-error', 'answers with a web page', text('<html>Welcome</html>', 'text/html')],
    [503, 'svc/upstream-unavailable', 'breaks the connection', breakOff],
    [504, 'svc/upstream-timeout', 'never answers', neverAnswer],
  ])(
    'a broadcast that ends with %i has the hash over REST and tRPC, and the same bytes again succeed: %s from a node that %s',
    async (status, code, _, answer) => {
      const { tokens } = stack.localnet.chains[84532]
      const conversion = { tokenIn: tokens['tAUD'], tokenOut: tokens['tUSD'], amountIn: '1', expectedAmountOut: '0.65' }
      const operations = {
        'transaction.broadcast': {},
        'transaction.broadcastConvert': conversion,
        'swap.execute': conversion,
      }
      const calls = await Promise.all(
        Object.entries(operations).flatMap(([operation, input]) =>
          Object.values(stack.callers).map(async (call) => {
            const { address, signedTransaction, broadcast } = await signTransfer()
            return {
              address,
              signedTransaction,
              broadcast,
              fail: () => call(operation, { signedTransaction, ...input }),
            }
          }),
        ),
      )
      proxy.setAnswer(takeAndLose(answer))
      const outcomes = await Promise.all(calls.map(({ fail }) => fail()))
      proxy.reset()
      const error = expect.stringContaining('broadcasting the same bytes again is safe')
      for (const [index, { signedTransaction }] of calls.entries()) {
        const transactionHash = keccak256(signedTransaction)
        expect(outcomes[index]).toMatchObject({ status, failure: { code, error, retryable: true, transactionHash } })
      }
      await waitUntilRecovered()
      const { client } = connectOwner(stack.localnet.chains[84532])
      for (const { address, signedTransaction, broadcast } of calls) {
        const transactionHash = keccak256(signedTransaction)
        expect(await broadcast()).toMatchObject({ status: 200, data: { status: 'success', transactionHash } })
        expect(await client.getTransactionCount({ address }), 'it is mined once').toBe(1)
      }
    },
  )
})

/** Forwards broadcasts to the node, and replaces the responses to them and to look-ups of transactions. */
function takeAndLose(answer: Answer): Answer {
  const lost = new Set(['eth_sendRawTransaction', 'eth_getTransactionByHash'])
  return async (request, response, callNode) => {
    const answered = await callNode()
    if (request.calls.some(({ method }) => lost.has(method))) await answer(request, response, callNode)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answered)
  }
}

/** Forwards broadcasts to the node and replaces their responses by an error, and hides the transaction from the first look-up. */
function takeAndDeny(message: string): Answer {
  let isHidden = true
  return answerEachCall(stack.localnet.chains[84532].rpcUrl, async (call, callNode) => {
    const answered = await callNode(call)
    if (call.method === 'eth_sendRawTransaction') return { id: call.id, error: { code: -32000, message } }
    if (call.method !== 'eth_getTransactionByHash' || !isHidden) return answered
    isHidden = false
    return { id: call.id, result: null }
  })
}

async function waitUntilRecovered(): Promise<void> {
  const { address } = await createWallet(stack.localnet.chains[84532])
  const isRecovered = async () => (await stack.callers.REST('transaction.nonce', { address })).status === 200
  await vi.waitUntil(isRecovered, eventually)
}

async function signTransfer() {
  const wallet = await createWallet(stack.localnet.chains[84532])
  const transfer = { to: wallet.address, data: '0x', value: '0', chainId: 84532, gasLimit: '21000' } as const
  const signedTransaction = await wallet.sign(stack.callers.REST, transfer)
  return {
    address: wallet.address,
    signedTransaction,
    broadcast: () => stack.callers.REST('transaction.broadcast', { signedTransaction }),
  }
}

/** Reads how many quotes were issued. */
async function readIssued(): Promise<number> {
  const response = await fetch(`${stack.url}/metrics`, { headers: { 'x-admin-key': adminKey } })
  return Number(/^agio_quotes_total\{event="issued"\} (\d+)$/m.exec(await response.text())?.[1])
}

/** Responds with 503 to every request that contains a call of the method. */
function refuse(method: string): Answer {
  return async ({ calls }, response, callNode) => {
    const isRefused = calls.some((call) => call.method === method)
    response.writeHead(isRefused ? 503 : 200, { 'content-type': 'application/json' })
    response.end(isRefused ? '' : await callNode())
  }
}

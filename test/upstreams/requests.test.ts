import type { LocalChain } from '@agio/localnet'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { validInputs } from '../harness/validInputs.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { countCalls, recordRequests } from '../harness/recordRequests.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { signConversion } from '../harness/signConversion.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { setUp } from '../harness/setUp.ts'

// A broadcast waits longer than a machine stands still.
const stack = setUp(() => startProxiedStack({ broadcastWaitMs: 600_000 }))
let proxy: Proxy
let chain: LocalChain
let owner: Owner
let call: Caller

beforeAll(async () => {
  proxy = stack.proxies[84532]
  chain = stack.localnet.chains[84532]
  owner = connectOwner(chain)
  call = stack.callers.REST
})

describe('requests to the node', () => {
  const fromMemory = [
    'chains.list',
    'pools.list',
    'pools.get',
    'convert.preview',
    'convert.ladder',
    'swap.preview',
    'oracle.prices',
    'faucet.tokens',
  ] as const
  const withReads = [
    'approval.check',
    'approval.build',
    'approval.revoke',
    'convert.quote',
    'transaction.buildConvert',
    'swap.build',
    'liquidity.previewDeposit',
    'liquidity.previewWithdraw',
    'transaction.nonce',
    'faucet.info',
    'faucet.buildClaimAll',
  ] as const

  it.each(fromMemory)('%s sends no request to the node within a block', async (operation) => {
    const request = () => call(operation, validInputs(chain)[operation])
    await request()
    expect(await recordRequests(proxy, request)).toEqual([])
    expect(await recordRequests(proxy, () => Promise.all([request(), request(), request()]))).toEqual([])
  })

  it.each(withReads)(
    '%s sends one request to the node, besides the one state read of a new block',
    async (operation) => {
      const request = () => call(operation, validInputs(chain)[operation])
      await request()
      expect(await recordRequests(proxy, request)).toHaveLength(1)
      await mineBlock()
      expect((await recordRequests(proxy, request)).length).toBeLessThanOrEqual(2)
    },
  )

  it.each([{ amountIn: '10' }, { amountOut: '10' }])(
    'a quote of %j without a wallet sends no request to the node, and its build sends one',
    async (amount) => {
      const { tokenIn, tokenOut } = validInputs(chain)['convert.preview']
      const quote = () => call('convert.quote', { tokenIn, tokenOut, ...amount })
      const { data } = await quote()
      expect(await recordRequests(proxy, quote)).toEqual([])
      const { userAddress } = validInputs(chain)['transaction.buildConvert']
      const build = () => call('transaction.buildConvert', { quote: data?.['quote'], userAddress })
      expect(await recordRequests(proxy, build)).toHaveLength(1)
    },
  )

  it('transaction.status sends one request to the node', async () => {
    const { transactionHash } = await sendTransfer('transaction.broadcast')
    expect(await recordRequests(proxy, () => call('transaction.status', { transactionHash }))).toHaveLength(1)
  })

  it('convert.receipt sends three requests to the node, and one less while the states of both blocks are in memory', async () => {
    const preview = async () => {
      await waitForBlock(stack.url, chain)
      await call('convert.preview', validInputs(chain)['convert.preview'])
    }
    const { signedTransaction } = await signConversion(chain, call)
    await preview()
    const sent = await call('transaction.broadcast', { signedTransaction })
    const receipt = () => call('convert.receipt', { transactionHash: sent.data?.['transactionHash'] })
    await preview()
    const ofNew = await recordRequests(proxy, receipt)
    expect(ofNew).toHaveLength(2)
    expect(countCalls(ofNew, 'eth_call')).toBe(0)
    for (let block = 0; block < 2; block++) {
      await mineBlock()
      await preview()
    }
    const ofOld = await recordRequests(proxy, receipt)
    expect(ofOld).toHaveLength(3)
    expect(countCalls(ofOld, 'eth_call')).toBe(2)
  })

  it('transaction.broadcast sends the transaction once and reads its receipt once, besides the one state read of its block', async () => {
    const preview = () => call('convert.preview', validInputs(chain)['convert.preview'])
    // The block may be read before the receipt, after it, or in one request with it.
    const needed = ['eth_call', 'eth_getTransactionReceipt', 'eth_sendRawTransaction']
    const listCalls = (requests: readonly string[]) => requests.flatMap((methods) => methods.split(' ')).toSorted()
    await preview()
    expect(listCalls((await sendTransfer('transaction.broadcast')).requests)).toEqual(needed)
    // The next preview needs no request, and neither does the analysis of a conversion.
    expect(await recordRequests(proxy, preview)).toEqual([])
    const { tokenIn, tokenOut, amountIn } = validInputs(chain)['convert.preview']
    const conversion = { tokenIn, tokenOut, amountIn, expectedAmountOut: '650' }
    const { requests } = await sendTransfer('transaction.broadcastConvert', conversion)
    expect(listCalls(requests)).toEqual(needed)
  })

  it('fifty concurrent previews at a new block share one state read', async () => {
    const preview = () => call('convert.preview', validInputs(chain)['convert.preview'])
    await preview()
    const requests = await recordRequests(proxy, async () => {
      await mineBlock()
      await Promise.all(Array.from({ length: 50 }, preview))
    })
    expect(requests).toEqual(['eth_call'])
  })
})

describe('a transaction that stays pending', () => {
  it('a broadcast is answered as pending after its time limit, and found by its hash once it is mined', async () => {
    const wallet = await createWallet(chain)
    const signedTransaction = await wallet.sign(call, transfer)
    await stopMining()
    const broadcastWaitMs = 500
    const hasty = await startTestServer(stack.localnet, { broadcastWaitMs, rpcUrls: { 84532: [proxy.url] } })
    onTestFinished(() => hasty.stop())
    await waitForBlock(hasty.url, chain)
    const callHasty = createRestCaller({ url: hasty.url, apiKey })
    const broadcast = () => callHasty('transaction.broadcast', { signedTransaction })
    const startedAtMs = performance.now()
    let outcomes: readonly Awaited<ReturnType<Caller>>[] = []
    const requests = await recordRequests(proxy, async () => (outcomes = await Promise.all([broadcast(), broadcast()])))
    expect(performance.now() - startedAtMs).toBeGreaterThan(broadcastWaitMs - 50)
    const transactionHash = outcomes[0]?.data?.['transactionHash']
    const pending = { transactionHash, status: 'pending' }
    expect(outcomes.map(({ data }) => data)).toEqual([pending, pending])
    expect(await call('transaction.status', { transactionHash })).toMatchObject({ data: { status: 'pending' } })
    // Each of the two requests the receipt when its wait begins and when it ends. No block is mined in between.
    expect(countCalls(requests, 'eth_sendRawTransaction')).toBe(2)
    expect(countCalls(requests, 'eth_getTransactionReceipt')).toBe(4)

    await mineBlock()
    expect(await call('transaction.status', { transactionHash })).toMatchObject({
      data: { status: 'success', confirmations: 1, gasUsed: '21000' },
    })
    expect(await broadcast()).toMatchObject({ data: { transactionHash, status: 'success' } })
    expect(await owner.client.getTransactionCount({ address: wallet.address })).toBe(1)
  })

  it('the receipt of a pending transaction is requested once at each new block, and not in between', async () => {
    const wallet = await createWallet(chain)
    const first = await wallet.sign(call, transfer)
    const second = await wallet.sign(async () => ({ status: 200, data: { nonce: 1 } }), transfer)
    await stopMining()
    // A transaction with a later nonce stays pending.
    const requests = await recordRequests(proxy, async () => {
      const broadcast = call('transaction.broadcast', { signedTransaction: second })
      await mineBlock()
      await mineBlock()
      await owner.client.sendRawTransaction({ serializedTransaction: first })
      await mineBlock()
      expect(await broadcast).toMatchObject({ data: { status: 'success' } })
    })
    expect(countCalls(requests, 'eth_getTransactionReceipt')).toBeLessThanOrEqual(1 + 3)
  })

  it('a transaction is found in a block that was mined while its receipt was requested, without waiting for another block', async () => {
    const wallet = await createWallet(chain)
    const signedTransaction = await wallet.sign(call, transfer)
    await stopMining()
    onTestFinished(() => proxy.reset())
    proxy.setAnswer(async ({ calls }, response, callNode) => {
      const answer = await callNode()
      if (calls.some(({ method }) => method === 'eth_getTransactionReceipt')) {
        proxy.reset()
        await mineBlock()
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    })
    // The wait of the service is longer than the time limit of the test: no other block is mined in it.
    expect(await call('transaction.broadcast', { signedTransaction })).toMatchObject({ data: { status: 'success' } })
  })
})

const transfer: Unsigned = {
  to: '0x00000000000000000000000000000000000000a1',
  data: '0x',
  value: '1',
  chainId: 84532,
  gasLimit: '21000',
}

async function sendTransfer(operation: string, rest: object = {}) {
  const wallet = await createWallet(chain)
  const signedTransaction = await wallet.sign(call, transfer)
  let transactionHash: unknown
  // The service knows the newest block by then.
  await call('oracle.prices', { chainId: 84532 })
  const requests = await recordRequests(proxy, async () => {
    const { data } = await call(operation, { signedTransaction, ...rest })
    expect(data).toMatchObject({ status: 'success' })
    transactionHash = data?.['transactionHash']
  })
  return { transactionHash, requests }
}

/** Stops automatic mining until the test ends. */
async function stopMining(): Promise<void> {
  await owner.client.setAutomine(false)
  await owner.client.setIntervalMining({ interval: 0 })
  await waitForBlock(stack.url, chain)
  onTestFinished(() => owner.client.setAutomine(true))
}

async function mineBlock(): Promise<void> {
  await owner.client.mine({ blocks: 1 })
  await waitForBlock(stack.url, chain)
}

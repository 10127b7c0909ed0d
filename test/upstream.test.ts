import type { LocalChain } from '@agio/localnet'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Caller } from './contract/Caller.ts'
import { createWallet, type Unsigned } from './contract/createWallet.ts'
import { validInputs } from './contract/validInputs.ts'
import { connectOwner, type Owner } from './stack/connectOwner.ts'
import { countCalls, recordRequests } from './stack/recordRequests.ts'
import { isHeadPoll, startProxy, type Proxy } from './stack/startProxy.ts'
import { startStack, type Stack } from './stack/startStack.ts'
import { waitForBlock } from './stack/waitForBlock.ts'

const broadcastWaitMs = 3000

let stack: Stack
let proxy: Proxy
let chain: LocalChain
let owner: Owner
let call: Caller

beforeAll(async () => {
  stack = await startStack(async ({ chains }) => {
    chain = chains[84532]
    proxy = await startProxy(chain.rpcUrl)
    return { broadcastWaitMs, rpcUrls: { 84532: [proxy.url], 421614: [chains[421614].rpcUrl] } }
  })
  owner = connectOwner(chain)
  call = stack.callers.REST
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await proxy?.[Symbol.asyncDispose]()
})

describe('requests to the node', () => {
  const fromMemory = [
    'pools.list',
    'pools.get',
    'convert.preview',
    'swap.preview',
    'oracle.prices',
    'faucet.tokens',
  ] as const
  const withReads = [
    'approval.check',
    'approval.build',
    'approval.revoke',
    'transaction.buildConvert',
    'swap.build',
    'liquidity.previewDeposit',
    'liquidity.previewWithdraw',
    'transaction.nonce',
    'faucet.info',
    'faucet.buildClaimAll',
  ] as const

  it.each(fromMemory)('%s needs none within a block', async (operation) => {
    const ask = () => call(operation, validInputs(chain)[operation])
    await ask()
    expect(await recordRequests(proxy, ask)).toEqual([])
    expect(await recordRequests(proxy, () => Promise.all([ask(), ask(), ask()]))).toEqual([])
  })

  it.each(withReads)('%s needs one, beside the one state read of a new block', async (operation) => {
    const ask = () => call(operation, validInputs(chain)[operation])
    await ask()
    expect(await recordRequests(proxy, ask)).toHaveLength(1)
    await mineBlock()
    expect((await recordRequests(proxy, ask)).length).toBeLessThanOrEqual(2)
  })

  it('transaction.status needs one', async () => {
    const { transactionHash } = await sendTransfer('transaction.broadcast')
    expect(await recordRequests(proxy, () => call('transaction.status', { transactionHash }))).toHaveLength(1)
  })

  it('transaction.broadcast needs one to send and one for the receipt, beside the one state read of its block', async () => {
    const preview = () => call('convert.preview', validInputs(chain)['convert.preview'])
    const needed = ['eth_sendRawTransaction', 'eth_getTransactionReceipt']
    await preview()
    expect((await sendTransfer('transaction.broadcast')).requests).toEqual([...needed, 'eth_call'])
    // Who converts next needs no node, and so does the analysis of a conversion.
    expect(await recordRequests(proxy, preview)).toEqual([])
    const { tokenIn, tokenOut, amountIn } = validInputs(chain)['convert.preview']
    const conversion = { tokenIn, tokenOut, amountIn, expectedAmountOut: '650' }
    const { requests } = await sendTransfer('transaction.broadcastConvert', conversion)
    expect(requests).toEqual([...needed, 'eth_call'])
  })

  it('fifty previews at once at a new block share one state read', async () => {
    const preview = () => call('convert.preview', validInputs(chain)['convert.preview'])
    await preview()
    const requests = await recordRequests(proxy, async () => {
      await mineBlock()
      await Promise.all(Array.from({ length: 50 }, preview))
    })
    expect(requests).toEqual(['eth_call'])
  })

  it('for the newest block come at most twice a second, while the service is busy', async () => {
    const first = proxy.requests.length
    const polls = () => proxy.requests.slice(first).filter(isHeadPoll)
    await vi.waitUntil(
      async () => {
        await call('convert.preview', validInputs(chain)['convert.preview'])
        return polls().length >= 6
      },
      { timeout: 15_000 },
    )
    const times = polls().map(({ receivedAtMs }) => receivedAtMs)
    // Five times half a second, but for what a busy machine makes uneven.
    expect((times[5] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(2200)
  })
})

describe('a transaction that stays pending', () => {
  it('is answered as pending after a while, and is found by its hash once it is mined', async () => {
    const wallet = await createWallet(chain)
    const signedTransaction = await wallet.sign(call, transfer)
    await stopMining()
    const broadcast = () => call('transaction.broadcast', { signedTransaction })
    const startedAtMs = performance.now()
    let outcomes: readonly Awaited<ReturnType<Caller>>[] = []
    const requests = await recordRequests(proxy, async () => (outcomes = await Promise.all([broadcast(), broadcast()])))
    expect(performance.now() - startedAtMs).toBeGreaterThan(broadcastWaitMs - 50)
    const transactionHash = outcomes[0]?.data?.['transactionHash']
    const pending = { transactionHash, status: 'pending' }
    expect(outcomes.map(({ data }) => data)).toEqual([pending, pending])
    expect(await call('transaction.status', { transactionHash })).toMatchObject({ data: { status: 'pending' } })
    // Each of the two asks when it begins to wait and when it ends, and there is no block in between.
    expect(countCalls(requests, 'eth_sendRawTransaction')).toBe(2)
    expect(countCalls(requests, 'eth_getTransactionReceipt')).toBe(4)

    await mineBlock()
    expect(await call('transaction.status', { transactionHash })).toMatchObject({
      data: { status: 'success', confirmations: 1, gasUsed: '21000' },
    })
    expect(await broadcast()).toMatchObject({ data: { transactionHash, status: 'success' } })
    expect(await owner.client.getTransactionCount({ address: wallet.address })).toBe(1)
  })

  it('is looked for once at each new block, and not in between', async () => {
    const wallet = await createWallet(chain)
    const first = await wallet.sign(call, transfer)
    const second = await wallet.sign(async () => ({ status: 200, data: { nonce: 1 } }), transfer)
    await stopMining()
    // What comes too early stays pending, whatever is mined.
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

  it('is found at once in a block that came while its receipt was being asked for', async () => {
    const wallet = await createWallet(chain)
    const signedTransaction = await wallet.sign(call, transfer)
    await stopMining()
    onTestFinished(() => proxy.reset())
    proxy.setAnswer(async ({ calls }, response, askNode) => {
      const answer = await askNode()
      if (calls.some(({ method }) => method === 'eth_getTransactionReceipt')) {
        proxy.reset()
        await mineBlock()
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    })
    const startedAtMs = performance.now()
    expect(await call('transaction.broadcast', { signedTransaction })).toMatchObject({ data: { status: 'success' } })
    expect(performance.now() - startedAtMs).toBeLessThan(broadcastWaitMs)
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
  // A warm service knows the newest block, whoever mined it.
  await call('oracle.prices', { chainId: 84532 })
  const requests = await recordRequests(proxy, async () => {
    const { data } = await call(operation, { signedTransaction, ...rest })
    expect(data).toMatchObject({ status: 'success' })
    transactionHash = data?.['transactionHash']
  })
  return { transactionHash, requests }
}

/** Leaves mining to the test, until it ends. */
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

import type { LocalChain } from '@agio/localnet'
import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { donate } from '../harness/changePool.ts'
import { toDecimal } from '../harness/toPreview.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { isHeadPoll, type Proxy } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { requestPreviews } from './requestPreviews.ts'
import { expectViews } from './expectViews.ts'
import { holdRequests } from '../harness/holdRequests.ts'
import { listStateReads } from '../harness/stateReads.ts'
import { moveUnread } from '../harness/movePrice.ts'
import { setPrice } from '../harness/movePrice.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'

let stack: ProxiedStack
let chain: LocalChain
let proxy: Proxy
let owner: Owner

beforeAll(async () => {
  stack = await startProxiedStack()
  chain = stack.localnet.chains[84532]
  proxy = stack.proxies[84532]
  owner = connectOwner(chain)
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

describe('a reorg', () => {
  it('after a reorg the block that was replaced leaves no trace in previews, pools and prices', async () => {
    const id = await owner.client.snapshot()
    await setPrice(chain, 'tAUD', 70_000_000n)
    await donate(chain, 'tAUD', '1234.5')
    const replaced = await owner.client.getBlock()
    await vi.waitFor(() => expectAllOf(replaced.number, '0.70000000'), eventually)

    await owner.client.revert({ id })
    await setPrice(chain, 'tAUD', 60_000_000n)
    await donate(chain, 'tUSD', '77.7')
    const { number, hash } = await owner.client.getBlock()
    expect(number).toBe(replaced.number)
    expect(hash).not.toBe(replaced.hash)
    await vi.waitFor(() => expectAllOf(number, '0.60000000'), eventually)
    expect(listStateReads(proxy).filter((read) => read === hash)).toHaveLength(1)
    expect(await recordRequests(proxy, () => expectAllOf(number, '0.60000000'))).toEqual([])
  })

  it('previews succeed although a reorg removes the head before it was read', async () => {
    const id = await owner.client.snapshot()
    const hold = holdRequests(proxy)
    onTestFinished(() => proxy.reset())
    await moveUnread(stack.url, chain, { hold, price: 72_000_000n })
    const polls = hold(isHeadPoll)
    await owner.client.revert({ id })
    await setPrice(chain, 'tAUD', 58_000_000n)
    const { number, hash } = await owner.client.getBlock()
    const readsBefore = listStateReads(proxy).length
    const previews = requestPreviews(stack, chain, 30)
    await vi.waitUntil(() => listStateReads(proxy).length > readsBefore, eventually)
    polls.pass()
    expect(await expectViews(chain, await Promise.all(previews))).toEqual([Number(number)])
    expect(listStateReads(proxy).filter((read) => read === hash)).toHaveLength(1)
  })

  it('a reorg to a lower block is followed once the chain is as long as before', async () => {
    const { number } = await owner.client.getBlock()
    const id = await owner.client.snapshot()
    await owner.client.mine({ blocks: 3 })
    await setPrice(chain, 'tAUD', 71_000_000n)
    await vi.waitFor(() => expectAllOf(number + 4n, '0.71000000'), eventually)
    await owner.client.revert({ id })
    await setPrice(chain, 'tAUD', 59_000_000n)
    await owner.client.mine({ blocks: 3 })
    await vi.waitFor(() => expectAllOf(number + 4n, '0.59000000'), eventually)
  })
})

it('a thousand blocks between two polls replace the whole snapshot by one read', async () => {
  await setPrice(chain, 'tAUD', 64_000_000n)
  const { number } = await owner.client.getBlock()
  await vi.waitFor(() => expectAllOf(number, '0.64000000'), eventually)
  onTestFinished(() => proxy.reset())
  const requests = await recordRequests(proxy, async () => {
    const polls = holdRequests(proxy)(isHeadPoll)
    await setPrice(chain, 'tAUD', 65_000_000n)
    await owner.client.mine({ blocks: 600 })
    await donate(chain, 'tUSD', '1000')
    await setPrice(chain, 'tEUR', 111_000_000n)
    await owner.client.mine({ blocks: 400 })
    polls.pass()
    await waitForBlock(stack.url, chain)
    await expectAllOf(number + 1003n, '0.65000000')
  })
  expect(requests).toEqual(['eth_call'])
})

/** Asserts that previews, the pool and the prices name one block and equal its state. */
async function expectAllOf(blockNumber: bigint, price: string): Promise<void> {
  const responses = await Promise.all(
    Object.values(stack.callers).flatMap((call) => [
      call('pools.get', { chainId: chain.chainId, poolAddress: chain.pools['tAUD/tUSD'] }),
      call('oracle.prices', { chainId: chain.chainId }),
    ]),
  )
  const previews = await Promise.all(requestPreviews(stack, chain, 30))
  expect(await expectViews(chain, previews)).toEqual([Number(blockNumber)])
  const [token0, token1] = await Promise.all([readReserve('tAUD', blockNumber), readReserve('tUSD', blockNumber)])
  const pool = { reserves: { token0, token1 }, oracles: { token0: { usd: price } }, blockNumber: Number(blockNumber) }
  const prices = { prices: { tAUD: { usd: price } }, blockNumber: Number(blockNumber) }
  const expected = [pool, prices, pool, prices].map((data) => ({ status: 200, data }))
  expect(responses).toMatchObject(expected)
}

async function readReserve(symbol: 'tAUD' | 'tUSD', blockNumber: bigint): Promise<string> {
  const balance = { address: chain.tokens[symbol], abi: erc20Abi, functionName: 'balanceOf' } as const
  const args = [chain.pools['tAUD/tUSD']] as const
  return toDecimal(await owner.client.readContract({ ...balance, args, blockNumber }), 6)
}

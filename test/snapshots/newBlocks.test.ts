import type { LocalChain } from '@agio/localnet'
import { erc20Abi, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { donate } from '../harness/changePool.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { holdRequests, type Hold } from '../harness/holdRequests.ts'
import { moveUnread, setPrice } from '../harness/movePrice.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { isHeadPoll, type Proxy } from '../harness/startProxy.ts'
import { isStateRead, listStateReads } from '../harness/stateReads.ts'
import { eventually } from '../harness/timeLimits.ts'
import { toDecimal } from '../harness/toPreview.ts'
import { readHealth, waitForBlock } from '../harness/waitForBlock.ts'
import { setUp } from '../harness/setUp.ts'
import { expectViews, requestPreviews } from './requestPreviews.ts'

const stack = setUp(startProxiedStack)
let chain: LocalChain
let proxy: Proxy
let owner: Owner

beforeAll(async () => {
  chain = stack.localnet.chains[84532]
  proxy = stack.proxies[84532]
  owner = connectOwner(chain)
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
    const { held: polls } = await moveUnread(stack.url, chain, { hold, price: 72_000_000n, holdNext: () => isHeadPoll })
    await owner.client.revert({ id })
    await setPrice(chain, 'tAUD', 58_000_000n)
    const { number, hash } = await owner.client.getBlock()
    const readsBefore = listStateReads(proxy).length
    const previews = request(30)
    await vi.waitUntil(() => listStateReads(proxy).length > readsBefore, eventually)
    polls.pass()
    expect(await expectViews(chain, await Promise.all(previews))).toEqual([Number(number)])
    expect(listStateReads(proxy).filter((read) => read === hash)).toHaveLength(1)
  })

  it('a reorg to a lower block is followed once the chain is as long as before', async () => {
    const { number } = await owner.client.getBlock()
    const id = await owner.client.snapshot()
    await owner.client.mine({ blocks: 3 })
    await setPrice(chain, 'tAUD', 62_000_000n)
    await vi.waitFor(() => expectAllOf(number + 4n, '0.62000000'), eventually)
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

describe('a node that reads a new block slowly', () => {
  let hold: Hold
  const unhandled: unknown[] = []
  const onUnhandled = (reason: unknown) => void unhandled.push(reason)

  beforeAll(() => void process.on('unhandledRejection', onUnhandled))
  afterAll(() => void process.off('unhandledRejection', onUnhandled))

  beforeEach(async () => {
    await Promise.all(request(1))
    hold = holdRequests(proxy)
  })
  afterEach(() => proxy.reset())

  it('previews and health use the previous block while the node reads a new one slowly', async () => {
    const [known] = await Promise.all(request(1))
    const reads = hold(isStateRead)
    await setPrice(chain, 'tAUD', 65_000_000n)
    const { hash, number } = await owner.client.getBlock()
    await vi.waitUntil(() => listStateReads(proxy).includes(hash), eventually)
    // Nothing else while the read is held, which has a time limit.
    const previews = await Promise.all(request(30))
    expect(await readHealthBlock()).toBe(known?.blockNumber)
    reads.pass()
    expect(await expectViews(chain, previews)).toEqual([known?.blockNumber])
    await waitForBlock(stack.url, chain)
    expect(await expectViews(chain, await Promise.all(request(30)))).toEqual([Number(number)])
    expect(countReads(hash)).toBe(1)
  })

  it('a read that fails after the head has moved on fails only the previews that wait for it', async () => {
    const slow = await moveUnread(stack.url, chain, { hold, price: 68_000_000n, holdNext: isReadAt })
    const readsBefore = countReads(slow.hash)
    const early = request(30)
    await vi.waitUntil(() => countReads(slow.hash) > readsBefore, eventually)
    const next = await moveTo(69_000_000n)
    expect(await expectViews(chain, await Promise.all(request(30)))).toEqual([Number(next.number)])
    slow.held.breakOff()
    // On a busy machine, the read times out before it breaks off.
    const failed = { code: expect.toBeOneOf(['svc/upstream-unavailable', 'svc/upstream-timeout']) }
    const outcomes = await Promise.all(early)
    const failures = outcomes.filter(({ status }) => status !== 200)
    expect(failures.length).toBeGreaterThan(0)
    expect(failures).toMatchObject(failures.map(() => failed))
    // A preview that reaches the service after the newer block does not wait for the read that fails.
    const others = outcomes.filter(({ status }) => status === 200)
    expect([Number(next.number)]).toEqual(expect.arrayContaining([...(await expectViews(chain, others))]))
    const afterwards = async () =>
      expect(await expectViews(chain, await Promise.all(request(30)))).toEqual([Number(next.number)])
    expect(await recordRequests(proxy, afterwards)).toEqual([])
    expect(unhandled).toEqual([])
  })
})

function request(number: number) {
  return requestPreviews(stack, chain, number)
}

/** Moves the price in a new block, and waits until the service serves it. */
async function moveTo(price: bigint) {
  await setPrice(chain, 'tAUD', price)
  await waitForBlock(stack.url, chain)
  return await owner.client.getBlock()
}

function isReadAt(hash: Hex): (request: { readonly body: string }) => boolean {
  return ({ body }) => body.includes(hash)
}

async function readHealthBlock(): Promise<number | undefined> {
  const { chains } = await readHealth(stack.url)
  return chains.find(({ chainId }) => chainId === chain.chainId)?.blockNumber
}

function countReads(hash: Hex): number {
  return listStateReads(proxy).filter((read) => read === hash).length
}

/** Asserts that previews, the pool and the prices name one block and equal its state. */
async function expectAllOf(blockNumber: bigint, price: string): Promise<void> {
  const responses = await Promise.all(
    Object.values(stack.callers).flatMap((call) => [
      call('pools.get', { chainId: chain.chainId, poolAddress: chain.pools['tAUD/tUSD'] }),
      call('oracle.prices', { chainId: chain.chainId }),
    ]),
  )
  const previews = await Promise.all(request(30))
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

import type { LocalChain } from '@agio/localnet'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { readHealth } from '../harness/waitForBlock.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { requestPreviews } from './requestPreviews.ts'
import { expectViews } from './expectViews.ts'
import { holdRequests, type Hold } from '../harness/holdRequests.ts'
import { listStateReads } from '../harness/stateReads.ts'
import { isStateRead } from '../harness/stateReads.ts'
import { moveUnread } from '../harness/movePrice.ts'
import { setPrice } from '../harness/movePrice.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'

let stack: ProxiedStack
let chain: LocalChain
let proxy: Proxy
let hold: Hold
const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => void unhandled.push(reason)

beforeAll(async () => {
  stack = await startProxiedStack()
  chain = stack.localnet.chains[84532]
  proxy = stack.proxies[84532]
  process.on('unhandledRejection', onUnhandled)
})

afterAll(async () => {
  process.off('unhandledRejection', onUnhandled)
  await stack?.[Symbol.asyncDispose]()
})

beforeEach(async () => {
  await Promise.all(request(1))
  hold = holdRequests(proxy)
})

afterEach(() => {
  proxy.reset()
})

it('previews and health use the previous block while the node reads a new one slowly', async () => {
  const [known] = await Promise.all(request(1))
  const reads = hold(isStateRead)
  await setPrice(chain, 'tAUD', 65_000_000n)
  const { hash, number } = await connectOwner(chain).client.getBlock()
  await vi.waitUntil(() => listStateReads(proxy).includes(hash), eventually)
  expect(await expectViews(chain, await Promise.all(request(30)))).toEqual([known?.blockNumber])
  expect(await readHealthBlock()).toBe(known?.blockNumber)
  reads.pass()
  await waitForBlock(stack.url, chain)
  expect(await expectViews(chain, await Promise.all(request(30)))).toEqual([Number(number)])
  expect(countReads(hash)).toBe(1)
})

it('concurrent previews share one read of a block, and its late result replaces no newer block', async () => {
  const slow = await moveUnread(stack.url, chain, { hold, price: 66_000_000n })
  const readsBefore = countReads(slow.hash)
  const reads = hold(isReadAt(slow.hash))
  const early = request(30)
  await vi.waitUntil(() => countReads(slow.hash) > readsBefore, eventually)
  const late = request(30)
  const next = await moveTo(67_000_000n)
  expect(await expectViews(chain, await Promise.all(request(30)))).toEqual([Number(next.number)])
  reads.pass()
  const blocks = await expectViews(chain, await Promise.all([...early, ...late]))
  // A preview that reaches the service after the newer block is of that one.
  expect(blocks[0]).toBe(Number(slow.number))
  expect([Number(next.number)]).toEqual(expect.arrayContaining(blocks.slice(1)))
  const afterwards = async () =>
    expect(await expectViews(chain, await Promise.all(request(30)))).toEqual([Number(next.number)])
  expect(await recordRequests(proxy, afterwards)).toEqual([])
  expect(countReads(slow.hash)).toBe(readsBefore + 1)
  expect(countReads(next.hash)).toBe(1)
})

it('a read that fails after the head has moved on fails only the previews that wait for it', async () => {
  const slow = await moveUnread(stack.url, chain, { hold, price: 68_000_000n })
  const readsBefore = countReads(slow.hash)
  const reads = hold(isReadAt(slow.hash))
  const early = request(30)
  await vi.waitUntil(() => countReads(slow.hash) > readsBefore, eventually)
  const next = await moveTo(69_000_000n)
  expect(await expectViews(chain, await Promise.all(request(30)))).toEqual([Number(next.number)])
  reads.breakOff()
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

it('a failed read is retried on the next request', async () => {
  const block = await moveUnread(stack.url, chain, { hold, price: 64_000_000n })
  hold(isReadAt(block.hash)).breakOff()
  expect(await Promise.all(request(30))).toMatchObject(Array.from({ length: 30 }, () => ({ status: 503 })))
  proxy.reset()
  expect(await expectViews(chain, await Promise.all(request(30)))).toEqual([Number(block.number)])
  expect(unhandled).toEqual([])
})

function request(number: number) {
  return requestPreviews(stack, chain, number)
}

/** Moves the price in a new block, and waits until the service serves it. */
async function moveTo(price: bigint) {
  await setPrice(chain, 'tAUD', price)
  await waitForBlock(stack.url, chain)
  return await connectOwner(chain).client.getBlock()
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

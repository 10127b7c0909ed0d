import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { numberToHex, parseEther, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { connectOwner, type Owner } from '../stack/connectOwner.ts'
import { deploySkewedPools } from '../stack/deploySkewedPools.ts'
import { recordRequests } from '../stack/recordRequests.ts'
import type { Proxy } from '../stack/startProxy.ts'
import { waitForBlock } from '../stack/waitForBlock.ts'
import { askPreviews, type Preview } from './askPreviews.ts'
import { expectViews } from './expectViews.ts'
import { startProxiedStack, type ProxiedStack } from './startProxiedStack.ts'

// Where solc puts the skew of a SkewedPool, behind all that a Pool has.
const skewSlot = 6

let stack: ProxiedStack
let chain: LocalChain
let proxy: Proxy
let owner: Owner
let codes: { readonly ours: Hex; readonly skewed: Hex }

beforeAll(async () => {
  stack = await startProxiedStack()
  chain = stack.localnet.chains[84532]
  proxy = stack.proxies[84532]
  owner = connectOwner(chain)
  const skewed = await deploySkewedPools(stack.localnet, { 'tAUD/tUSD': 137n, 'tEUR/tUSD': -61n })
  codes = { ours: await readCode(chain.pools['tAUD/tUSD']), skewed: await readCode(skewed.pools[0] as Address) }
  await waitForBlock(stack.url, chain)
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

afterEach(async () => {
  await putPool(codes.ours, 0n)
})

it('a pool whose code changes is quoted by its view from then on, and by maths again once it has our code again', async () => {
  const before = await expectPriced('local')
  await putPool(codes.skewed, 137n)
  const skewed = await expectPriced('on-chain')
  expect(skewed[0]?.amountOut).not.toBe(before[0]?.amountOut)
  await owner.client.mine({ blocks: 1 })
  await waitForBlock(stack.url, chain)
  await expectPriced('on-chain')
  await putPool(codes.ours, 0n)
  const after = await expectPriced('local')
  expect(after.map(({ amountOut }) => amountOut)).toEqual(before.map(({ amountOut }) => amountOut))
})

it('a pool with another fee and another limit is quoted by maths with these from the next block on', async () => {
  const before = await expectPriced('local')
  const dearer = replaceWord(codes.ours, parseEther('0.0005'), parseEther('0.0031'))
  await putPool(replaceWord(dearer, parseEther('0.5'), parseEther('0.25')), 0n)
  const after = await expectPriced('local')
  expect(after[0]?.amountOut).not.toBe(before[0]?.amountOut)
  expect(await show()).toMatchObject({ fee: '0.31%' })
})

// Known to fail: whether maths fits is looked for once for a pool's code and its curve, of which this is no part.
it.fails('a pool that deviates with the code and curve that it had is not quoted by maths any more', async () => {
  await putPool(codes.skewed, 0n)
  await expectPriced('local')
  await putPool(codes.skewed, 137n)
  await expectPriced('on-chain')
})

/** Makes the tAUD/tUSD pool one with that code and skew, in a new block. */
async function putPool(bytecode: Hex, skewBps: bigint): Promise<void> {
  const address = chain.pools['tAUD/tUSD']
  await owner.client.setCode({ address, bytecode })
  await owner.client.setStorageAt({ address, index: skewSlot, value: numberToHex(skewBps, { size: 32 }) })
  await owner.client.mine({ blocks: 1 })
  await waitForBlock(stack.url, chain)
}

/** Asserts that previews are right, and by whether they need the node and show a limit, who has worked them out. */
async function expectPriced(pricing: 'local' | 'on-chain'): Promise<readonly Preview[]> {
  const { number } = await owner.client.getBlock()
  const ask = async () => await Promise.all(askPreviews(stack, chain, 12))
  const previews = await ask()
  expect(await expectViews(chain, previews)).toEqual([Number(number)])
  const isAsked = (await recordRequests(proxy, ask)).length > 0
  expect({ isAsked, hasLimit: 'maxAmountIn' in (await show()) }).toEqual(
    pricing === 'on-chain' ? { isAsked: true, hasLimit: false } : { isAsked: false, hasLimit: true },
  )
  return previews
}

async function show(): Promise<object> {
  const input = { chainId: chain.chainId, poolAddress: chain.pools['tAUD/tUSD'] }
  const { data } = await stack.callers.REST('pools.get', input)
  return data ?? {}
}

async function readCode(address: Address): Promise<Hex> {
  return (await owner.client.getCode({ address })) ?? '0x'
}

/** Puts another number wherever the code has one as a whole word, as it has what never changes. */
function replaceWord(code: Hex, from: bigint, to: bigint): Hex {
  const [old, next] = [numberToHex(from, { size: 32 }).slice(2), numberToHex(to, { size: 32 }).slice(2)]
  expect(code).toContain(old)
  return code.replaceAll(old, next) as Hex
}

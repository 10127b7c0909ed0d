import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { erc20Abi, numberToHex, parseEther, type Hex } from 'viem'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { deploySkewedPools } from '../harness/deploySkewedPools.ts'
import { deployTwinPool } from '../harness/deployTwinPool.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { signConversion } from '../harness/signConversion.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { expectViews, readViews, requestPreviews, type Preview } from './requestPreviews.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { setUp } from '../harness/setUp.ts'

// The storage slot of a SkewedPool's skew, after the slots of a Pool.
const skewSlot = 8

const stack = setUp(startProxiedStack)
let chain: LocalChain
let proxy: Proxy
let owner: Owner
let codes: { readonly ours: Hex; readonly skewed: Hex; readonly marked: Hex }

beforeAll(async () => {
  chain = stack.localnet.chains[84532]
  proxy = stack.proxies[84532]
  owner = connectOwner(chain)
  const skewed = await deploySkewedPools(stack.localnet, { 'tAUD/tUSD': 137n, 'tEUR/tUSD': -61n })
  const marked = await deployTwinPool(owner, chain, { name: 'tAUD/tUSD', contract: 'testing/MarkupPool' })
  codes = {
    ours: await readCode(chain.pools['tAUD/tUSD']),
    skewed: await readCode(skewed.pools[0] as Address),
    marked: await readCode(marked),
  }
  await waitForBlock(stack.url, chain)
})

afterEach(() => putPool(codes.ours, 0n))

it('a pool whose code changes is priced on chain from the next block on, and locally again once it has our code again', async () => {
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

it('a pool of which only the exact outputs deviate from our maths is priced on chain, with the same previews', async () => {
  const before = await expectPriced('local')
  await putPool(codes.marked, 0n)
  const after = await expectPriced('on-chain')
  expect(after.map(({ amountOut }) => amountOut)).toEqual(before.map(({ amountOut }) => amountOut))
})

it('a pool whose fee and limit change is priced locally with the new ones from the next block on', async () => {
  const before = await expectPriced('local')
  const dearer = replaceWord(codes.ours, parseEther('0.0005'), parseEther('0.0031'))
  await putPool(replaceWord(dearer, parseEther('0.5'), parseEther('0.25')), 0n)
  const after = await expectPriced('local')
  expect(after[0]?.amountOut).not.toBe(before[0]?.amountOut)
  expect(await show()).toMatchObject({ fee: '0.31%' })
})

// docs/decisions/0010-foreign-pools.md: the service compares a pool with our maths once for its code and its curve.
describe('a pool that pays less with the same code and curve', () => {
  // Differs from the code above, so that the service compares it anew.
  const unknownCode = (): Hex => `${codes.skewed}00`

  it('limit: a pool that pays less with the same code and curve stays priced locally, so previews exceed its view', async () => {
    await putPool(unknownCode(), 0n)
    const before = await expectPriced('local')
    await putPool(unknownCode(), -300n)
    const previews = await Promise.all(requestPreviews(stack, chain, 12))
    expect(previews.map(({ amountOut }) => amountOut)).toEqual(before.map(({ amountOut }) => amountOut))
    const [first] = previews as [Preview]
    const [view] = await readViews(chain, [first.conversion], first.blockNumber)
    expect(Number(view)).toBeCloseTo(Number(first.amountOut) * 0.97, 3)
  })

  it.each(['REST', 'tRPC'] as const)(
    'a pool that pays less with the same code and curve never pays less than minAmountOut: the conversion reverts (%s)',
    async (transport) => {
      const call = stack.callers[transport]
      await putPool(unknownCode(), 0n)
      const { trader, signedTransaction } = await signConversion(chain, call)
      await putPool(unknownCode(), -300n)
      const failure = { code: 'svc/below-min-target' }
      const build = { ...validInputs(chain)['transaction.buildConvert'], userAddress: trader.address }
      expect(await call('transaction.buildConvert', build)).toMatchObject({ status: 422, failure })
      const sent = await call('transaction.broadcast', { chainId: chain.chainId, signedTransaction })
      expect(sent).toMatchObject({ status: 200, data: { status: 'failed', failure } })
      expect(await readBalance('tAUD', trader.address)).toBe(1_000_000_000n)
      expect(await readBalance('tUSD', trader.address)).toBe(0n)
    },
  )
})

/** Sets the code and the skew of the tAUD/tUSD pool in a new block. */
async function putPool(bytecode: Hex, skewBps: bigint): Promise<void> {
  const address = chain.pools['tAUD/tUSD']
  await owner.client.setCode({ address, bytecode })
  await owner.client.setStorageAt({ address, index: skewSlot, value: numberToHex(skewBps, { size: 32, signed: true }) })
  await owner.client.mine({ blocks: 1 })
  await waitForBlock(stack.url, chain)
}

/** Asserts that previews equal the pool's view, and that only those priced on chain need the node and have no limit. */
async function expectPriced(pricing: 'local' | 'on-chain'): Promise<readonly Preview[]> {
  const { number } = await owner.client.getBlock()
  const request = async () => await Promise.all(requestPreviews(stack, chain, 12))
  const previews = await request()
  expect(await expectViews(chain, previews)).toEqual([Number(number)])
  const isNodeCalled = (await recordRequests(proxy, request)).length > 0
  expect({ isNodeCalled, hasLimit: 'maxAmountIn' in (await show()) }).toEqual(
    pricing === 'on-chain' ? { isNodeCalled: true, hasLimit: false } : { isNodeCalled: false, hasLimit: true },
  )
  return previews
}

async function show(): Promise<object> {
  const input = { chainId: chain.chainId, poolAddress: chain.pools['tAUD/tUSD'] }
  const { data } = await stack.callers.REST('pools.get', input)
  return data ?? {}
}

async function readBalance(symbol: 'tAUD' | 'tUSD', account: Address): Promise<bigint> {
  const read = { address: chain.tokens[symbol], abi: erc20Abi, functionName: 'balanceOf', args: [account] } as const
  return await owner.client.readContract(read)
}

async function readCode(address: Address): Promise<Hex> {
  return (await owner.client.getCode({ address })) ?? '0x'
}

/** Replaces a whole word of the code, as which it holds an immutable value. */
function replaceWord(code: Hex, from: bigint, to: bigint): Hex {
  const [old, next] = [numberToHex(from, { size: 32 }).slice(2), numberToHex(to, { size: 32 }).slice(2)]
  expect(code).toContain(old)
  return code.replaceAll(old, next) as Hex
}

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { routerAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import fc from 'fast-check'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { writeContract } from '../harness/writeContract.ts'
import { readAtBlock, type Answer } from '../harness/readAtBlock.ts'
import { deployMarket } from './deployMarket.ts'
import { deployPools } from './deployPools.ts'
import { toDecimal, toPreview } from '../harness/toPreview.ts'

const seed = randomSeed('previews')

const oracleAbi = parseAbi(['function updateAnswer(int256 answer)'])

type Token = { readonly address: Address; readonly decimals: number }
type SwapCase = { readonly tokenIn: Token; readonly tokenOut: Token; readonly amountRaw: bigint }
type Market = Awaited<ReturnType<typeof deployRandomMarket>>

let stack: AgioStack
let owner: Owner
let market: Market

beforeAll(async () => {
  stack = await startAgio({
    prepare: async ({ chains, deploymentsDir }) => {
      owner = connectOwner(chains[84532])
      market = await deployRandomMarket()
      await writeFile(join(deploymentsDir, '84532.json'), JSON.stringify(market.deployment))
      return {}
    },
  })
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

it('previews equal the views at their block, for tokens with 2, 6 and 18 decimals, errors included', async () => {
  const outcomes: Record<string, number> = {}
  for (let round = 0; round < 8; round++) {
    await movePrices(seed + round)
    const block = await owner.client.getBlock()
    const cases = sampleCases(seed + round)
    const calls = cases.map((swapCase) => ({ target: market.deployment.router, data: encodeView(swapCase) }))
    const views = await readAtBlock(owner.client, { at: Number(block.number), calls })
    const callers = Object.values(stack.callers)
    const answers = cases.map((swapCase, index) => requestPreview(callers[index % callers.length] as Caller, swapCase))
    const expected = cases.map((swapCase, index) => expectedOf(swapCase, views[index] ?? 'nothing', block))
    expect(await Promise.all(answers), `seed ${seed}`).toMatchObject(expected)
    for (const { status, code = '' } of expected) {
      outcomes[`${status} ${code}`] = (outcomes[`${status} ${code}`] ?? 0) + 1
    }
  }
  expect(outcomes).toMatchObject({
    '200 ': expect.toSatisfy((count: number) => count > 200),
    '422 svc/above-max-origin': expect.any(Number),
    '422 svc/amount-too-small': expect.any(Number),
  })
})

/** Deploys pools of tokens with 2, 6 and 18 decimals against a reference token with 6. */
async function deployRandomMarket() {
  const epsilons = fc.sample(fc.bigInt({ min: 0n, max: 10n ** 16n }), { seed, numRuns: 9 })
  const parameters = epsilons.map((epsilon) => ({ epsilon, alpha: 5n * 10n ** 17n, maxAgeSeconds: 3600n }))
  const pools = (await deployPools(owner, parameters)).filter(({ quote }) => quote.oracle === null)
  const prices = fc.sample(fc.bigInt({ min: 10n ** 5n, max: 10n ** 11n }), { seed, numRuns: 3 })
  const deployment = await deployMarket(owner, { chainId: 84532, pools, prices })
  const sides = [...pools.map(({ base }) => base), ...pools.slice(0, 1).map(({ quote }) => quote)]
  const tokens = sides.map(({ token, decimals }) => ({ address: token, decimals }))
  const oracles = pools.map(({ base }, index) => ({ address: base.oracle as Address, price: prices[index] ?? 0n }))
  return { deployment, tokens, oracles }
}

/** Sets prices up to a half above or below those at which the pools are balanced. */
async function movePrices(seed: number): Promise<void> {
  const permilles = fc.sample(fc.bigInt({ min: 500n, max: 1500n }), { seed, numRuns: market.oracles.length })
  for (const [index, { address, price }] of market.oracles.entries()) {
    const args = [(price * (permilles[index] ?? 0n)) / 1000n] as const
    await writeContract(owner.client, { address, abi: oracleAbi, functionName: 'updateAnswer', args })
  }
  await waitForBlock(stack.url, stack.localnet.chains[84532])
}

/** Every ordered pair of tokens, with six amounts of up to a million whole tokens. A million of the reference is beyond each halt. */
function sampleCases(seed: number): readonly SwapCase[] {
  const { tokens } = market
  const pairs = tokens.flatMap((tokenIn) =>
    tokens.filter((tokenOut) => tokenOut !== tokenIn).map((tokenOut) => ({ tokenIn, tokenOut })),
  )
  return pairs.flatMap((pair, index) => {
    const arbitraryAmount = fc
      .integer({ min: Math.ceil(pair.tokenIn.decimals / 2), max: 6 + pair.tokenIn.decimals })
      .chain((digits) => fc.bigInt({ min: 10n ** BigInt(digits - 1), max: 10n ** BigInt(digits) - 1n }))
    const million = 10n ** BigInt(6 + pair.tokenIn.decimals)
    const amounts = [...fc.sample(arbitraryAmount, { seed: seed + index, numRuns: 5 }), million]
    return amounts.map((amountRaw) => ({ ...pair, amountRaw }))
  })
}

function encodeView({ tokenIn, tokenOut, amountRaw }: SwapCase) {
  const args = [market.deployment.referenceToken, tokenIn.address, tokenOut.address, amountRaw] as const
  return encodeFunctionData({ abi: routerAbi, functionName: 'viewOriginSwap', args })
}

async function requestPreview(call: Caller, { tokenIn, tokenOut, amountRaw }: SwapCase) {
  const amountIn = toDecimal(amountRaw, tokenIn.decimals)
  const { status, data, failure } = await call('convert.preview', {
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    amountIn,
  })
  return { status, ...data, ...failure }
}

type Block = { readonly number: bigint; readonly timestamp: bigint }

function expectedOf({ tokenIn, tokenOut, amountRaw }: SwapCase, view: Answer, { number, timestamp }: Block) {
  if (typeof view === 'string') return { status: 422, code: view }
  const [inDecimals, outDecimals] = [tokenIn.decimals, tokenOut.decimals]
  return {
    status: 200,
    amountIn: toDecimal(amountRaw, inDecimals),
    ...toPreview({ inRaw: amountRaw, inDecimals, outRaw: view, outDecimals }),
    blockNumber: Number(number),
    blockTimestamp: new Date(Number(timestamp) * 1000).toISOString(),
  }
}

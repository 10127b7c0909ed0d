import { createChain, type Chain, type Deployment } from '@agio/chain'
import { routerAbi, tokenAbi } from '@agio/chain/abi'
import { Route, type Address } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import {
  deployForeignPools,
  foreignDecimals,
  type ForeignMarket,
  type ForeignToken,
} from '../harness/deployForeignPools.ts'
import { deploySkewedPools } from '../harness/deploySkewedPools.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { readAtBlock } from '../harness/readAtBlock.ts'
import { countCalls, recordRequests } from '../harness/recordRequests.ts'
import { startProxy, type Proxy } from '../harness/startProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { eventually, testTimeout } from '../harness/timeLimits.ts'
import { writeContract } from '../harness/writeContract.ts'

// A search makes many calls of views, which take long on a slow machine.
const nodeTimeoutMs = testTimeout

/** The seed of the random cases. */
const seed = randomSeed('exact outputs')

/** Pools that are priced on chain, at least in part, and a chain that reads them. */
type Market = {
  readonly chain: Chain
  readonly deployment: Deployment
  readonly tokens: Readonly<Record<string, Address>>
  readonly decimalsOf: (symbol: string) => number
}

type Pair = { readonly from: string; readonly to: string }

/** An exact output, in whole tokens. */
type ExactOut = Pair & { readonly amountOut: string }

type Request = Pair & ({ readonly amountOut: string } | { readonly amountOutRaw: bigint })

type Paid = Pick<Awaited<ReturnType<Chain['conversions']['priceExactOut']>>, 'amountInRaw' | 'route' | 'block'>

let localnet: Localnet
let proxy: Proxy
let owner: Owner
let foreign: Market & Pick<ForeignMarket, 'oracles' | 'pools'>
let mixed: Market

beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000 })
  const { rpcUrl, tokens } = localnet.chains[84532]
  owner = connectOwner(localnet.chains[84532])
  proxy = await startProxy(rpcUrl)
  const open = (deployment: Deployment) => createChain({ deployment, urls: [proxy.url], nodeTimeoutMs })
  const market = await deployForeignPools(localnet)
  const decimalsOf = (symbol: string) => foreignDecimals[symbol as ForeignToken]
  foreign = { ...market, chain: open(market.deployment), decimalsOf }
  // Without a skew, a pool is priced locally.
  const deployment = await deploySkewedPools(localnet, { 'tAUD/tUSD': -137n, 'tEUR/tUSD': 0n })
  mixed = { deployment, chain: open(deployment), tokens, decimalsOf: () => 6 }
  for (const { chain, ...rest } of [foreign, mixed]) {
    await chain.pools.getSnapshot()
    await fund(rest)
  }
})

afterAll(async () => {
  foreign?.chain.stop()
  mixed?.chain.stop()
  await proxy?.[Symbol.asyncDispose]()
  await localnet?.stop()
})

describe('an exact output over foreign pools', () => {
  it.each<ExactOut>([
    { from: 'fEUR', to: 'fUSD', amountOut: '1000' },
    { from: 'fUSD', to: 'fEUR', amountOut: '0.01' },
    { from: 'fAUD', to: 'fUSD', amountOut: '0.000001' },
    { from: 'fAUD', to: 'fUSD', amountOut: '1234.567891' },
    { from: 'fUSD', to: 'fAUD', amountOut: '99.123456789012345678' },
    { from: 'fSGD', to: 'fUSD', amountOut: '31415.926535' },
    { from: 'fUSD', to: 'fSGD', amountOut: '7' },
    { from: 'fEUR', to: 'fAUD', amountOut: '271.82' },
    { from: 'fAUD', to: 'fEUR', amountOut: '5000.05' },
    { from: 'fSGD', to: 'fAUD', amountOut: '0.000000000000000001' },
    // Beyond the flat zone of the pools.
    { from: 'fEUR', to: 'fUSD', amountOut: '430000' },
    { from: 'fUSD', to: 'fAUD', amountOut: '150000' },
    { from: 'fAUD', to: 'fEUR', amountOut: '100000.01' },
  ])('an exact output is paid by the smallest input that suffices: $amountOut $to for $from', async (exactOut) => {
    await expectSmallestInput(foreign, exactOut)
  })

  it.each<ExactOut & { readonly most: number }>([
    { from: 'fEUR', to: 'fUSD', amountOut: '1000', most: 2 },
    { from: 'fUSD', to: 'fAUD', amountOut: '1000', most: 2 },
    { from: 'fEUR', to: 'fAUD', amountOut: '1000', most: 6 },
    // Many inputs of 18 decimals pay the same output.
    { from: 'fAUD', to: 'fUSD', amountOut: '1000', most: 5 },
    { from: 'fAUD', to: 'fEUR', amountOut: '1000', most: 9 },
    // Beyond the flat zone.
    { from: 'fEUR', to: 'fUSD', amountOut: '430000', most: 6 },
  ])('an exact output takes at most $most calls of views: $amountOut $to for $from', async ({ most, ...exactOut }) => {
    const { snapshot, ...request } = await prepare(foreign, exactOut)
    const price = () => foreign.chain.conversions.priceExactOut(snapshot, request)
    await expect.poll(() => countViews(price), eventually).toBeLessThanOrEqual(most)
  })
})

describe('an exact output over a pool of ours and one that is priced on chain', () => {
  it.each<ExactOut>([
    { from: 'tEUR', to: 'tAUD', amountOut: '1000' },
    { from: 'tAUD', to: 'tEUR', amountOut: '1000' },
    { from: 'tAUD', to: 'tEUR', amountOut: '0.000001' },
    { from: 'tEUR', to: 'tAUD', amountOut: '98765.432109' },
  ])('an exact output is paid by the smallest input that suffices: $amountOut $to for $from', async (exactOut) => {
    const route = await expectSmallestInput(mixed, exactOut)
    expect(route.map(({ pool }) => pool.pricing).sort()).toEqual(['local', 'on-chain'])
  })

  it('an exact output over pools of ours takes no request, and its own function', async () => {
    const { snapshot, ...request } = await prepare(mixed, { from: 'tEUR', to: 'tUSD', amountOut: '1000' })
    const { route, amountOutRaw } = request
    const price = () => mixed.chain.conversions.priceExactOut(snapshot, request)
    await expect.poll(() => countViews(price), eventually).toBe(0)
    const quoted = await price()
    expect(quoted).toMatchObject({ execution: 'target-swap', amountOutRaw, worstCaseOutRaw: amountOutRaw })
    expect(quoted.block).toEqual(snapshot.block)
    expect(await convert(mixed, { route, amountInRaw: quoted.amountInRaw })).toBeGreaterThanOrEqual(amountOutRaw)
  })
})

it.each<ExactOut & { readonly reason: string }>([
  { from: 'fEUR', to: 'fUSD', amountOut: '600000', reason: 'beyond the halt' },
  { from: 'fUSD', to: 'fEUR', amountOut: '600000', reason: 'beyond the halt' },
  { from: 'fEUR', to: 'fUSD', amountOut: '100000000', reason: 'beyond the reserve' },
  { from: 'fEUR', to: 'fUSD', amountOut: '9'.repeat(71), reason: 'beyond any amount' },
  { from: 'fEUR', to: 'fAUD', amountOut: '300000', reason: 'beyond the halt of the second pool' },
  { from: 'fAUD', to: 'fEUR', amountOut: '300000', reason: 'beyond the halt of the first pool' },
  { from: 'tAUD', to: 'tEUR', amountOut: '300000', reason: 'beyond the halt of a pool of ours' },
])(
  'error: svc/above-max-origin for an exact output $reason: $amountOut $to for $from',
  async ({ reason: _, ...exactOut }) => {
    const market = exactOut.from.startsWith('f') ? foreign : mixed
    const { snapshot, route, amountOutRaw } = await prepare(market, exactOut)
    const quote = async () => await market.chain.conversions.priceExactOut(snapshot, { route, amountOutRaw })
    const refusal = await quote().then(undefined, (error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'svc/above-max-origin', details: { amountIn: expect.any(String) } })
    const { amountIn } = (refusal as { details: { amountIn: string } }).details
    // An input that the route refuses as well.
    const amountInRaw = parseUnits(amountIn, market.decimalsOf(exactOut.from))
    const preview = async () => await market.chain.conversions.priceExactIn(snapshot, { route, amountInRaw })
    await expect(preview()).rejects.toMatchObject({ code: 'svc/above-max-origin' })
  },
)

it('error: svc/above-max-origin of a route that ends in a pool priced on chain names no limit of the first pool', async () => {
  const { snapshot, route } = await prepare(mixed, { from: 'tEUR', to: 'tAUD', amountOut: '1' })
  expect(route.map(({ pool }) => pool.pricing)).toEqual(['local', 'on-chain'])
  const amountInRaw = parseUnits('100000000', 6)
  const price = async () => await mixed.chain.conversions.priceExactIn(snapshot, { route, amountInRaw })
  const refusal = await price().then(undefined, (error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'svc/above-max-origin', details: { amountIn: '100000000.000000' } })
  expect((refusal as { readonly details: object }).details).not.toHaveProperty('maxAmountIn')
})

it('an exact output whose block a reorganisation removed is quoted at the newest block', async () => {
  const id = await owner.client.snapshot()
  await owner.client.mine({ blocks: 1 })
  const { snapshot, route, amountOutRaw } = await prepare(foreign, { from: 'fEUR', to: 'fAUD', amountOut: '100' })
  await owner.client.revert({ id })
  await writeContract(owner.client, {
    address: foreign.oracles.fEUR,
    abi: parseAbi(['function setRound(int256 answer, uint256 updatedAt)']),
    functionName: 'setRound',
    args: [105_000_000n, (await owner.client.getBlock()).timestamp],
  })
  const { hash } = await owner.client.getBlock()
  expect(hash).not.toBe(snapshot.block.hash)
  const quoted = await foreign.chain.conversions.priceExactOut(snapshot, { route, amountOutRaw })
  expect(quoted.block.hash).toBe(hash)
  expect(quoted.route[0].pool.base.price.answer).toBe(105_000_000n)
  const [[outRaw, outOfLessRaw], leastRaw] = [
    await viewBoth(foreign, quoted),
    Route.fromWorstCaseOut(route, amountOutRaw),
  ]
  expect(outRaw).toBeGreaterThanOrEqual(leastRaw)
  expect(outOfLessRaw).toBeLessThan(leastRaw)
})

/** Counts the calls of views, which include those for a new head that the chains read meanwhile. Repeat it for a quiet count. */
async function countViews(price: () => unknown): Promise<number> {
  const requests = await recordRequests(proxy, async () => await price())
  return countCalls(requests, 'eth_call')
}

/** Mints ten million dollars of each token to the owner, who approves the router. */
async function fund({ deployment, tokens, decimalsOf }: Omit<Market, 'chain'>): Promise<void> {
  for (const [symbol, address] of Object.entries(tokens)) {
    const amountRaw = parseUnits('10000000', decimalsOf(symbol))
    const call = (functionName: 'mint' | 'approve', args: readonly [Address, bigint]) =>
      writeContract(owner.client, { address, abi: tokenAbi, functionName, args })
    await call('mint', [owner.address, amountRaw])
    await call('approve', [deployment.router, maxUint256])
  }
}

/** The pools at the newest block, and the route between two tokens. */
async function prepare({ chain, deployment, tokens, decimalsOf }: Market, request: Request) {
  const { from, to } = request
  const { number, hash } = await owner.client.getBlock()
  const snapshot = await chain.pools.getSnapshotAt({ number, hash })
  const pair = { tokenIn: tokens[from] as Address, tokenOut: tokens[to] as Address }
  const route = Route.get(snapshot.pools, { ...pair, referenceToken: deployment.referenceToken })
  const amountOutRaw = 'amountOutRaw' in request ? request.amountOutRaw : parseUnits(request.amountOut, decimalsOf(to))
  return { snapshot, route, amountOutRaw }
}

/**
 * Expects that an exact output is quoted at the smallest input whose views pay it with their tolerance, and that executing the
 * quote pays it.
 *
 * @returns the route
 */
async function expectSmallestInput(market: Market, request: Request): Promise<Route.Route> {
  const { snapshot, route, amountOutRaw } = await prepare(market, request)
  const quoted = await market.chain.conversions.priceExactOut(snapshot, { route, amountOutRaw })
  const message = `seed ${seed}: ${amountOutRaw} ${request.to} for ${request.from}`
  expect(quoted, message).toMatchObject({
    amountOutRaw,
    execution: 'origin-swap',
    block: { hash: snapshot.block.hash },
  })
  const leastRaw = Route.fromWorstCaseOut(route, amountOutRaw)
  const [outRaw, outOfLessRaw] = await viewBoth(market, quoted)
  expect(outRaw, message).toBeGreaterThanOrEqual(leastRaw)
  expect(outOfLessRaw, message).toBeLessThan(leastRaw)
  const receivedRaw = await convert(market, quoted)
  expect(receivedRaw, message).toBeGreaterThanOrEqual(amountOutRaw)
  expect(quoted.worstCaseOutRaw, message).toBeLessThanOrEqual(receivedRaw)
  expect(quoted.worstCaseOutRaw, message).toBeGreaterThanOrEqual(amountOutRaw)
  return route
}

/** What the router's view returns for the input of a quote, and for one raw unit less; zero where it reverts. */
async function viewBoth({ deployment }: Market, { amountInRaw, route, block }: Paid) {
  const [tokenIn, tokenOut] = [Route.getOrigin(route).token.address, Route.getTarget(route).token.address]
  const calls = [amountInRaw, amountInRaw - 1n].map((raw) => ({
    target: deployment.router,
    data: encodeFunctionData({
      abi: routerAbi,
      functionName: 'viewOriginSwap',
      args: [deployment.referenceToken, tokenIn, tokenOut, raw],
    }),
  }))
  const views = await readAtBlock(owner.client, { at: block.hash, calls })
  return views.map((view) => (typeof view === 'bigint' ? view : 0n))
}

/** Sends a conversion of an exact input on the state of the newest block, undoes it, and returns the amount received. */
async function convert({ deployment }: Market, { route, amountInRaw }: Pick<Paid, 'route' | 'amountInRaw'>) {
  const [tokenIn, tokenOut] = [Route.getOrigin(route).token.address, Route.getTarget(route).token.address]
  const balance = { address: tokenOut, abi: erc20Abi, functionName: 'balanceOf', args: [owner.address] } as const
  const before = await owner.client.readContract(balance)
  const id = await owner.client.snapshot()
  const args = [deployment.referenceToken, tokenIn, tokenOut, amountInRaw, 1n, maxUint256] as const
  await writeContract(owner.client, { address: deployment.router, abi: routerAbi, functionName: 'originSwap', args })
  const after = await owner.client.readContract(balance)
  await owner.client.revert({ id })
  return after - before
}

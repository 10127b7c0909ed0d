import { createChain, type Chain, type Deployment } from '@agio/chain'
import { exactOutRouterAbi, routerAbi } from '@agio/chain/abi'
import { Hop, PoolMath, Route, ServiceError, type Address, type Pool } from '@agio/core'
import fc from 'fast-check'
import { maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Answer } from '../harness/readAtBlock.ts'
import { arbitraryCases, type Swap, type SwapCase } from './arbitraryCases.ts'
import { atLeast } from './atLeast.ts'
import { deployMarket, deployPools, type DeployedPool } from './deployPools.ts'
import { quoteInEvm } from './quoteInEvm.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { readBalance } from '../harness/readBalance.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { writeContract } from '../harness/writeContract.ts'
import { longTests } from '../harness/timeLimits.ts'
import { setUp } from '../harness/setUp.ts'

const extent = inject('extent')
const isNightly = extent !== 'integration'
const seed = isNightly ? randomSeed('quotes') : 1

// The number of pools per pair of decimals, of random states of all of them, and of mined conversions of each pair.
const [lotCount, runsPerLot, rounds] = extent === 'long' ? [8, 2200, 4] : isNightly ? [4, 87, 4] : [1, 48, 1]

const parameters = fc.record({
  // The lower it is, the more amounts are rejected.
  alpha: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(1n, 10n ** 18n - 1n) },
    { weight: 2, arbitrary: fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }) },
    { weight: 5, arbitrary: fc.bigInt({ min: 5n * 10n ** 17n, max: 10n ** 18n - 1n }) },
  ),
  epsilon: fc.oneof(fc.constantFrom(0n, 10n ** 16n), fc.bigInt({ min: 0n, max: 10n ** 16n })),
  maxAgeSeconds: fc.constantFrom(1n, 3600n, 86_400n),
})

const localnet = setUp(startTestLocalnet)
let owner: Owner

beforeAll(async () => {
  owner = connectOwner(localnet.chains[84532])
})

describe('the maths of core', () => {
  it(
    'the maths of core returns the results of the pools on chain, to the wei, errors included',
    { timeout: longTests.randomQuotes },
    async () => {
      const lots = await deployLots(lotCount)
      const block = await owner.client.getBlock()
      const counts: Record<string, number> = {}
      const compare = async (cases: readonly SwapCase[]) => {
        const answers = await quoteInEvm(owner.client, { blockHash: block.hash, cases })
        const compared = cases.map((swapCase, index) => ({
          ...swapCase,
          chain: answers[index],
          core: quoteInCore(swapCase, block.timestamp),
        }))
        expect(
          compared.filter(({ chain, core }) => chain !== core),
          `seed ${seed}`,
        ).toEqual([])
        for (const name of compared.flatMap(({ core, ...swapCase }) => listNames(swapCase, core)))
          counts[name] = (counts[name] ?? 0) + 1
      }
      // While the node works on one batch of cases, the next one is encoded.
      const batches = lots
        .flatMap((pools, lot) =>
          fc.sample(arbitraryCases(pools, block.timestamp), { seed: seed + lot, numRuns: runsPerLot }),
        )
        .values()
      const compareAll = async () => {
        for (const cases of batches) await compare(cases)
      }
      await Promise.all([compareAll(), compareAll()])
      const share = isNightly ? 1 : 1 / 16
      const least = Object.entries(leastCounts).map(([name, count]) => [name, Math.floor(count * share)] as const)
      expect(counts).toMatchObject(atLeast(Object.fromEntries(least)))
      const { 'exactIn base to quote': forth = 0, 'exactIn quote to base': back = 0 } = counts
      expect(forth + back).toBeGreaterThanOrEqual(isNightly ? 20_000 : 1500)
    },
  )
})

/** A number of pools of every pair of decimals, each with its own parameters. */
async function deployLots(number: number): Promise<readonly (readonly DeployedPool[])[]> {
  const lots: (readonly DeployedPool[])[] = []
  for (let lot = 0; lot < number; lot++) {
    lots.push(await deployPools(owner, fc.sample(parameters, { seed: seed + lot, numRuns: 9 })))
  }
  return lots
}

describe('a mined conversion', () => {
  let deployment: Deployment
  let chain: Chain

  beforeAll(async () => {
    const fees = fc.sample(parameters, { seed, numRuns: 9 })
    const all = await deployPools(
      owner,
      fees.map((fee) => ({ ...fee, alpha: 5n * 10n ** 17n, maxAgeSeconds: 3600n })),
    )
    const prices = fc.sample(fc.bigInt({ min: 10n ** 5n, max: 10n ** 11n }), { seed, numRuns: 3 })
    const pools = all.filter(({ quote }) => quote.oracle === null)
    deployment = await deployMarket(owner, { chainId: 84532, pools, prices })
    chain = createChain({ deployment, urls: [localnet.chains[84532].rpcUrl] })
  })

  afterAll(() => chain?.stop())

  it('a mined conversion pays the previewed output through one pool or two, to the wei', async () => {
    const count = await forEachPair(async ({ pair, route, snapshot, amountInRaw }, message) => {
      expect(route.map(({ pool }) => pool.pricing)).not.toContain('on-chain')
      const { amountOutRaw: quotedRaw } = await chain.conversions.priceExactIn(snapshot, { route, amountInRaw })
      expect(await convert({ ...pair, amountInRaw }), message).toBe(quotedRaw)
    })
    expect(count).toBe(12 * rounds)
  })

  it('a mined exact output costs the quoted input through one pool or two, to the wei', async () => {
    await forEachPair(async ({ pair, route, snapshot, amountInRaw }, message) => {
      const { amountOutRaw } = await chain.conversions.priceExactIn(snapshot, { route, amountInRaw })
      const quoted = await chain.conversions.priceExactOut(snapshot, { route, amountOutRaw })
      expect(quoted).toMatchObject({ amountOutRaw, worstCaseOutRaw: amountOutRaw, execution: 'target-swap' })
      const executed = await convertTo({ ...pair, amountOutRaw })
      expect(executed, message).toEqual({ paidRaw: quoted.amountInRaw, receivedRaw: amountOutRaw })
    })
  })

  /** Runs work for each pair of tokens in each round, at the newest block. Returns how often. */
  async function forEachPair(work: (conversion: Conversion, message: string) => Promise<void>): Promise<number> {
    const tokens = [...(await chain.pools.getSnapshot()).tokens.keys()]
    const pairs = tokens.flatMap((tokenIn) =>
      tokens.filter((tokenOut) => tokenOut !== tokenIn).map((tokenOut) => ({ tokenIn, tokenOut })),
    )
    const all = Array.from({ length: rounds }, () => pairs).flat()
    for (const [index, pair] of all.entries()) {
      const { number, hash } = await owner.client.getBlock()
      const snapshot = await chain.pools.getSnapshotAt({ number, hash })
      const route = Route.get(snapshot.pools, { ...pair, referenceToken: deployment.referenceToken })
      const amountInRaw = someOf(route, index)
      await work({ pair, route, snapshot, amountInRaw }, `seed ${seed}, conversion ${index}`)
    }
    return all.length
  }

  /** Up to a twentieth of the limit of the first pool. */
  function someOf([first]: Route.Route, index: number): bigint {
    const limit = PoolMath.maxOrigin(first)
    const [amountRaw = 0n] = fc.sample(fc.bigInt({ min: limit / 2000n, max: limit / 20n }), {
      seed: seed + index,
      numRuns: 1,
    })
    return amountRaw
  }

  type Pair = { readonly tokenIn: Address; readonly tokenOut: Address }

  type Conversion = {
    readonly pair: Pair
    readonly route: Route.Route
    readonly snapshot: Awaited<ReturnType<Chain['pools']['getSnapshotAt']>>
    readonly amountInRaw: bigint
  }

  /** Sends a conversion of an exact input, and returns the increase of the sender's balance. */
  async function convert({ tokenIn, tokenOut, amountInRaw }: Pair & { readonly amountInRaw: bigint }) {
    const before = await readHeld(tokenOut)
    const args = [deployment.referenceToken, tokenIn, tokenOut, amountInRaw, 1n, maxUint256] as const
    await writeContract(owner.client, { address: deployment.router, abi: routerAbi, functionName: 'originSwap', args })
    return (await readHeld(tokenOut)) - before
  }

  /** Sends a conversion for an exact output, and returns the changes of the sender's balances. */
  async function convertTo({ tokenIn, tokenOut, amountOutRaw }: Pair & { readonly amountOutRaw: bigint }) {
    const router = { address: deployment.router, abi: exactOutRouterAbi } as const
    const [heldRaw, before] = [await readHeld(tokenIn), await readHeld(tokenOut)]
    const args = [deployment.referenceToken, tokenIn, tokenOut, maxUint256, amountOutRaw, maxUint256] as const
    await writeContract(owner.client, { ...router, functionName: 'targetSwap', args })
    return { paidRaw: heldRaw - (await readHeld(tokenIn)), receivedRaw: (await readHeld(tokenOut)) - before }
  }

  const readHeld = (token: Address) => readBalance(localnet.chains[84532], token, owner.address)
})

/** Returns the outcome of a case by the maths of `core`, at a time. Like the contract, it refuses a frozen pool first. */
function quoteInCore({ pool, swap }: SwapCase, nowSeconds: bigint): Answer {
  const { kind, amountRaw, tokenIn, tokenOut } = swap
  if (pool.frozen) return 'svc/pool-frozen'
  try {
    const hop = Hop.from(pool, tokenIn, tokenOut)
    if (kind === 'exactIn') return PoolMath.priceExactIn(hop, amountRaw, nowSeconds).amountOutRaw
    if (kind === 'exactOut') return PoolMath.priceExactOut(hop, amountRaw, nowSeconds)
    PoolMath.priceExactIn(hop, 1n, nowSeconds)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const isOfAmount = ['svc/above-max-origin', 'svc/amount-too-small'].includes(error.code)
    if (kind !== 'maxOrigin' || !isOfAmount) return error.code
  }
  return PoolMath.maxOrigin(Hop.from(pool, tokenIn, tokenOut))
}

/** Names what a case counts as: its kind and outcome, and an exact input between the two tokens by direction and by decimals. */
function listNames({ pool, swap }: SwapCase, answer: Answer): readonly string[] {
  const names = [swap.kind, `${swap.kind} ${typeof answer === 'bigint' ? 'amount' : answer}`]
  const direction = findDirection(pool, swap)
  if (swap.kind !== 'exactIn' || !direction) return names
  const decimals = `${pool.base.token.decimals} and ${pool.quote.token.decimals} decimals`
  return [...names, `exactIn ${direction}`, `exactIn ${decimals} ${direction}`]
}

/** The direction of a swap; undefined if the pool does not hold both tokens. */
function findDirection({ base, quote }: Pool.Pool, { tokenIn, tokenOut }: Swap): string | undefined {
  if (tokenIn === base.token.address && tokenOut === quote.token.address) return 'base to quote'
  if (tokenIn === quote.token.address && tokenOut === base.token.address) return 'quote to base'
  return undefined
}

// Far below the expected counts of a run of some 31,000 random cases.
const leastCounts = {
  'exactIn base to quote': 9000,
  'exactIn quote to base': 9000,
  ...Object.fromEntries(
    [2, 6, 18].flatMap((base) =>
      [2, 6, 18].flatMap((quote) => [
        [`exactIn ${base} and ${quote} decimals base to quote`, 800],
        [`exactIn ${base} and ${quote} decimals quote to base`, 800],
      ]),
    ),
  ),
  'exactIn amount': 6000,
  'exactIn svc/above-max-origin': 3000,
  'exactIn svc/stale-price': 1000,
  'exactIn svc/amount-too-small': 500,
  'exactIn svc/pool-frozen': 200,
  'exactIn svc/unsupported-token': 100,
  'exactIn svc/invalid-request': 50,
  exactOut: 5000,
  'exactOut amount': 800,
  'exactOut svc/above-max-origin': 1000,
  'exactOut svc/stale-price': 300,
  'exactOut svc/amount-too-small': 10,
  'exactOut svc/pool-frozen': 50,
  'exactOut svc/unsupported-token': 30,
  'exactOut svc/invalid-request': 10,
  maxOrigin: 2500,
  'maxOrigin amount': 1500,
}

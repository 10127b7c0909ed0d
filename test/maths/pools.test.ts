import { createChain, type Chain, type Deployment } from '@agio/chain'
import { exactOutRouterAbi, routerAbi } from '@agio/chain/abi'
import { PoolMath, Route, type Address } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import fc from 'fast-check'
import { erc20Abi, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { arbitraryCases, type SwapCase } from './arbitraryCases.ts'
import { createCaseCounter, minimumCounts } from './createCaseCounter.ts'
import { deployMarket } from './deployMarket.ts'
import { deployPools, type DeployedPool } from './deployPools.ts'
import { quoteInCore } from './quoteInCore.ts'
import { quoteInEvm } from './quoteInEvm.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { writeContract } from '../harness/writeContract.ts'
import { longTests } from '../harness/timeLimits.ts'

const seed = randomSeed('quotes')

// The number of pools per pair of decimals, and of random states of all of them.
const extent = inject('extent')
const isExhaustive = extent !== 'integration'
const [lotCount, runsPerLot] = extent === 'long' ? [8, 2200] : isExhaustive ? [4, 87] : [2, 48]

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

let localnet: Localnet
let owner: Owner

beforeAll(async () => {
  localnet = await startTestLocalnet()
  owner = connectOwner(localnet.chains[84532])
})

afterAll(async () => {
  await localnet?.stop()
})

describe('the maths of core', () => {
  it(
    'the maths of core returns the results of the pools on chain, to the wei, errors included',
    { timeout: longTests.randomQuotes },
    async () => {
      const lots = await deployLots(lotCount)
      const block = await owner.client.getBlock()
      const counter = createCaseCounter()
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
        for (const { core, ...swapCase } of compared) counter.add(swapCase, core)
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
      expect(counter.counts).toMatchObject(minimumCounts(isExhaustive ? 1 : 1 / 8))
      const { 'exactIn base to quote': forth = 0, 'exactIn quote to base': back = 0 } = counter.counts
      expect(forth + back).toBeGreaterThanOrEqual(isExhaustive ? 20_000 : 3000)
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
    const { tokens } = await chain.pools.getSnapshot()
    const pairs = [...tokens.keys()].flatMap((tokenIn) =>
      [...tokens.keys()].filter((tokenOut) => tokenOut !== tokenIn).map((tokenOut) => ({ tokenIn, tokenOut })),
    )
    expect(pairs).toHaveLength(12)
    for (const [index, pair] of [...pairs, ...pairs, ...pairs, ...pairs].entries()) {
      const { number, hash } = await owner.client.getBlock()
      const snapshot = await chain.pools.getSnapshotAt({ number, hash })
      const route = Route.get(snapshot.pools, { ...pair, referenceToken: deployment.referenceToken })
      expect(route.map(({ pool }) => pool.pricing)).not.toContain('on-chain')
      const amountInRaw = someOf(route, index)
      const { amountOutRaw: quotedRaw } = await chain.conversions.priceExactIn(snapshot, { route, amountInRaw })
      expect(await convert({ ...pair, amountInRaw }), `seed ${seed}, conversion ${index}`).toBe(quotedRaw)
    }
  })

  it('a mined exact output costs the quoted input through one pool or two, to the wei', async () => {
    const { tokens } = await chain.pools.getSnapshot()
    const pairs = [...tokens.keys()].flatMap((tokenIn) =>
      [...tokens.keys()].filter((tokenOut) => tokenOut !== tokenIn).map((tokenOut) => ({ tokenIn, tokenOut })),
    )
    for (const [index, pair] of [...pairs, ...pairs].entries()) {
      const { number, hash } = await owner.client.getBlock()
      const snapshot = await chain.pools.getSnapshotAt({ number, hash })
      const route = Route.get(snapshot.pools, { ...pair, referenceToken: deployment.referenceToken })
      const { amountOutRaw } = await chain.conversions.priceExactIn(snapshot, {
        route,
        amountInRaw: someOf(route, index),
      })
      const quoted = await chain.conversions.priceExactOut(snapshot, { route, amountOutRaw })
      expect(quoted).toMatchObject({ amountOutRaw, worstCaseOutRaw: amountOutRaw, execution: 'target-swap' })
      expect(await convertTo({ ...pair, amountOutRaw }), `seed ${seed}, conversion ${index}`).toEqual({
        paidRaw: quoted.amountInRaw,
        receivedRaw: amountOutRaw,
      })
    }
  })

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

  /** Sends a conversion of an exact input, and returns the increase of the sender's balance. */
  async function convert({ tokenIn, tokenOut, amountInRaw }: Pair & { readonly amountInRaw: bigint }) {
    const before = await readBalance(tokenOut)
    const args = [deployment.referenceToken, tokenIn, tokenOut, amountInRaw, 1n, maxUint256] as const
    await writeContract(owner.client, { address: deployment.router, abi: routerAbi, functionName: 'originSwap', args })
    return (await readBalance(tokenOut)) - before
  }

  /** Sends a conversion for an exact output, and returns the changes of the sender's balances. */
  async function convertTo({ tokenIn, tokenOut, amountOutRaw }: Pair & { readonly amountOutRaw: bigint }) {
    const router = { address: deployment.router, abi: exactOutRouterAbi } as const
    const [heldRaw, before] = [await readBalance(tokenIn), await readBalance(tokenOut)]
    const args = [deployment.referenceToken, tokenIn, tokenOut, maxUint256, amountOutRaw, maxUint256] as const
    await writeContract(owner.client, { ...router, functionName: 'targetSwap', args })
    return { paidRaw: heldRaw - (await readBalance(tokenIn)), receivedRaw: (await readBalance(tokenOut)) - before }
  }

  async function readBalance(address: Address): Promise<bigint> {
    return await owner.client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner.address] })
  }
})

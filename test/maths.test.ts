import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChain, type Chain, type Deployment } from '@agio/chain'
import { routerAbi } from '@agio/chain/abi'
import {
  findRoute,
  getMaxOrigin,
  quoteExactIn,
  quoteExactOut,
  ServiceError,
  sidesOf,
  type Address,
  type Route,
} from '@agio/core'
import { startLocalnet, type Localnet } from '@agio/localnet'
import fc from 'fast-check'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arbitraryWorld, type Question } from './maths/arbitraryWorld.ts'
import { askPools, type Answer } from './maths/askPools.ts'
import { deployMarket } from './maths/deployMarket.ts'
import { deployPools } from './maths/deployPools.ts'
import { connectOwner, type Owner } from './stack/connectOwner.ts'

// To see a failure again, put the seed here that it names.
const seed = Math.floor(Math.random() * 2 ** 31)

const parameters = fc.record({
  alpha: fc.oneof(fc.constantFrom(1n, 10n ** 18n - 1n), fc.bigInt({ min: 1n, max: 10n ** 18n - 1n })),
  epsilon: fc.oneof(fc.constantFrom(0n, 10n ** 16n), fc.bigInt({ min: 0n, max: 10n ** 16n })),
  maxAgeSeconds: fc.constantFrom(1n, 3600n, 86_400n),
})

let localnet: Localnet
let owner: Owner

beforeAll(async () => {
  const deploymentsDir = await mkdtemp(join(tmpdir(), 'agio-maths-'))
  localnet = await startLocalnet({ rpcPort: 0, deploymentsDir })
  await rm(deploymentsDir, { recursive: true })
  owner = connectOwner(localnet.chains[84532])
})

afterAll(async () => {
  await localnet?.stop()
})

describe('the maths of core', () => {
  it('answers what the pools on chain answer, to the wei, refusals included', async () => {
    const pools = await deployPools(owner, fc.sample(parameters, { seed, numRuns: 9 }))
    const { hash, timestamp } = await owner.client.getBlock()
    const counts: Record<string, number> = {}
    for (const questions of fc.sample(arbitraryWorld(pools, timestamp), { seed, numRuns: 150 })) {
      const answers = await askPools(owner.client, { blockHash: hash, questions })
      const compared = questions.map((question, index) => ({
        ...question,
        chain: answers[index],
        core: askCore(question, timestamp),
      }))
      expect(
        compared.filter(({ chain, core }) => chain !== core),
        `seed ${seed}`,
      ).toEqual([])
      for (const { swap, core } of compared) {
        const name = `${swap.kind} ${typeof core === 'bigint' ? 'amount' : core}`
        counts[name] = (counts[name] ?? 0) + 1
      }
    }
    expect(counts).toMatchObject(everyAnswer)
    expect((counts['exactIn amount'] ?? 0) + (counts['exactOut amount'] ?? 0)).toBeGreaterThan(2000)
  })
})

/** Answers that the random cases must have come to, each of them more often than once. */
const everyAnswer = Object.fromEntries(
  ['exactIn', 'exactOut'].flatMap((kind) =>
    [
      'amount',
      'svc/pool-frozen',
      'svc/unsupported-token',
      'svc/invalid-request',
      'svc/amount-too-small',
      'svc/stale-price',
      'svc/above-max-origin',
    ].map((answer) => [`${kind} ${answer}`, expect.toSatisfy((count: number) => count > 1)]),
  ),
)

function askCore({ pool, swap }: Question, nowSeconds: bigint): Answer {
  const { kind, amountRaw, ...pair } = swap
  try {
    if (kind === 'exactIn') return quoteExactIn(pool, { ...pair, amountInRaw: amountRaw }, nowSeconds).amountOutRaw
    if (kind === 'exactOut') return quoteExactOut(pool, { ...pair, amountOutRaw: amountRaw }, nowSeconds)
    quoteExactIn(pool, { ...pair, amountInRaw: 1n }, nowSeconds)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const isOfAmount = ['svc/above-max-origin', 'svc/amount-too-small'].includes(error.code)
    if (kind !== 'maxOrigin' || !isOfAmount) return error.code
  }
  return getMaxOrigin(...sidesOf(pool, pair.tokenIn, pair.tokenOut), pool.alpha)
}

describe('a conversion that is mined', () => {
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

  it('pays through one pool or two what the preview said, to the wei', async () => {
    const { tokens } = await chain.getSnapshot()
    const pairs = [...tokens.keys()].flatMap((tokenIn) =>
      [...tokens.keys()].filter((tokenOut) => tokenOut !== tokenIn).map((tokenOut) => ({ tokenIn, tokenOut })),
    )
    expect(pairs).toHaveLength(12)
    for (const [index, pair] of [...pairs, ...pairs, ...pairs, ...pairs].entries()) {
      const { number, hash } = await owner.client.getBlock()
      const snapshot = await chain.getSnapshotAt({ number, hash })
      const route = findRoute(snapshot.pools, { ...pair, referenceToken: deployment.referenceToken })
      expect(route.map(({ pool }) => pool.quoting)).not.toContain('view')
      const amountInRaw = someOf(route, index)
      const quotedRaw = await chain.quote(snapshot, { route, amountInRaw })
      expect(await convert({ ...pair, amountInRaw }), `seed ${seed}, conversion ${index}`).toBe(quotedRaw)
    }
  })

  /** Up to a twentieth of what the first pool takes. */
  function someOf([{ pool, tokenIn, tokenOut }]: Route, index: number): bigint {
    const limit = getMaxOrigin(...sidesOf(pool, tokenIn, tokenOut), pool.alpha)
    const [amountRaw = 0n] = fc.sample(fc.bigInt({ min: limit / 2000n, max: limit / 20n }), {
      seed: seed + index,
      numRuns: 1,
    })
    return amountRaw
  }

  /** Sends it, and looks by how much the sender's balance has grown. */
  async function convert({
    tokenIn,
    tokenOut,
    amountInRaw,
  }: {
    tokenIn: Address
    tokenOut: Address
    amountInRaw: bigint
  }) {
    const balance = { address: tokenOut, abi: erc20Abi, functionName: 'balanceOf', args: [owner.address] } as const
    const before = await owner.client.readContract(balance)
    const args = [deployment.referenceToken, tokenIn, tokenOut, amountInRaw, 1n, maxUint256] as const
    await owner.send(deployment.router, encodeFunctionData({ abi: routerAbi, functionName: 'originSwap', args }))
    return (await owner.client.readContract(balance)) - before
  }
})

import { createChain, type Chain, type Deployment } from '@agio/chain'
import { routerAbi, tokenAbi } from '@agio/chain/abi'
import { Route, type Address } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import { encodeFunctionData, erc20Abi, maxUint256, parseUnits } from 'viem'
import { afterAll, beforeAll, expect } from 'vitest'
import { readAtBlock } from '../harness/readAtBlock.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import {
  deployForeignPools,
  foreignDecimals,
  type ForeignMarket,
  type ForeignToken,
} from '../harness/deployForeignPools.ts'
import { deploySkewedPools } from '../harness/deploySkewedPools.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { startProxy, type Proxy } from '../harness/startProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { testTimeout } from '../harness/timeLimits.ts'
import { writeContract } from '../harness/writeContract.ts'

// A search makes many calls of views, which take long on a slow machine.
const nodeTimeoutMs = testTimeout

/** The seed of the random cases. */
const seed = randomSeed('exact outputs')

/** Pools that are priced on chain, at least in part, and a chain that reads them. */
export type Market = {
  readonly chain: Chain
  readonly deployment: Deployment
  readonly tokens: Readonly<Record<string, Address>>
  readonly decimalsOf: (symbol: string) => number
}

type Pair = { readonly from: string; readonly to: string }

/** An exact output, in whole tokens. */
export type ExactOut = Pair & { readonly amountOut: string }

type Request = Pair & ({ readonly amountOut: string } | { readonly amountOutRaw: bigint })

type Paid = Pick<Awaited<ReturnType<Chain['conversions']['priceExactOut']>>, 'amountInRaw' | 'route' | 'block'>

/** Starts the chains and both markets before the tests of a file, and stops them afterwards. */
export function setUpExactOut() {
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
    const amountOutRaw =
      'amountOutRaw' in request ? request.amountOutRaw : parseUnits(request.amountOut, decimalsOf(to))
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

  return {
    get foreign() {
      return foreign
    },
    get proxy() {
      return proxy
    },
    get mixed() {
      return mixed
    },
    get owner() {
      return owner
    },
    expectSmallestInput,
    prepare,
    convert,
    viewBoth,
  }
}

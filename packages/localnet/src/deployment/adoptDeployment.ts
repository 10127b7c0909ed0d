import { createChain, type Chain, type Deployment, type Snapshot } from '@agio/chain'
import { poolAbi, routerAbi } from '@agio/chain/abi'
import { Amount, OraclePrice, PriceFault, type Address, type Network, type Pool } from '@agio/core'
import { createPublicClient, isAddressEqual, zeroAddress, type PublicClient } from 'viem'
import { toProvider, toTransport } from '../chain/Provider.ts'
import { listRegistered, registryAbi } from './listRegistered.ts'
import { undefinedIfReverted } from './undefinedIfReverted.ts'

/**
 * Reads a live deployment from its chain, as the service reads it: the pools of a factory, their tokens and their oracles.
 * Leaves out a pool that cannot be read, or that the factory does not have for its tokens.
 *
 * @returns the deployment, its pools, and a warning for everything that the service does not support or could not read
 * @throws `Error` if a contract has no code, if no pool remains, or if the reference token is not clear
 */
export async function adoptDeployment(options: Options): Promise<Result> {
  const { chainId, rpcUrl, router, factory } = options
  const client = createPublicClient({ transport: toTransport(toProvider(rpcUrl)) })
  const served = await client.getChainId()
  if (served !== chainId) throw new Error(`Cannot adopt contracts of chain ${chainId}: the node serves chain ${served}`)
  for (const address of [router, factory])
    if (!(await client.getCode({ address }))) throw new Error(`Cannot adopt ${address}: it has no code on this chain`)
  const { fromBlock, onProgress } = options
  const found = fromBlock === undefined ? [] : await listRegistered(client, { factory, fromBlock, onProgress })
  const addresses = [...new Set([...options.pools, ...found])]
  if (addresses.length === 0)
    throw new Error(`Cannot adopt: factory ${factory} has registered no pool since block ${fromBlock}`)
  const flaws = new Map<Address, string>()
  const chain = createChain({
    deployment: { chainId, router, factory, pools: addresses, referenceToken: zeroAddress },
    urls: [rpcUrl],
    onPool: ({ pool, flaw }) => void (flaw !== undefined && flaws.set(pool, flaw)),
  })
  try {
    const { block, pools } = await readPools(chain, flaws)
    const warnings = [
      ...[...flaws].map(([pool, flaw]) => `Pool ${pool} is left out, because it cannot be read: ${flaw}`),
      ...(await checkRouter(client, chain)),
    ]
    const kept: Pool.Pool[] = []
    for (const pool of pools) {
      const current = await findCurrent(client, factory, pool)
      if (current === pool.address) kept.push(pool)
      else warnings.push(`Pool ${pool.address} is left out: the factory has ${describeCurrent(current)} for its tokens`)
    }
    for (const pool of kept) {
      const faults = checkPrices(pool, block)
      warnings.push(...faults, ...(await checkPool(client, pool)))
      // Without a valid price, neither the curve of a pool nor a router that checks prices can be judged.
      if (faults.length > 0) warnings.push(`Pool ${pool.address} is not compared with its curve, because of its price`)
      else warnings.push(...(await checkPricing(client, router, pool)))
    }
    if (kept.length === 0) throw new Error(['Cannot adopt: no pool remains', ...warnings].join('\n'))
    const referenceToken = options.referenceToken ?? findReferenceToken(kept)
    const deployment = { chainId, router, factory, pools: kept.map(({ address }) => address), referenceToken }
    return { deployment, pools: kept, warnings: [...new Set(warnings)] }
  } finally {
    chain.stop()
  }
}

type Options = Omit<listRegistered.Options, 'fromBlock'> & {
  /** The block from which the factory's events are read. Default: only `pools` are adopted. */
  readonly fromBlock?: bigint | undefined
  readonly chainId: Network.ChainId
  /** The node of the network. */
  readonly rpcUrl: string
  readonly router: Address
  /** Pools to adopt, in addition to those that the factory has registered since `fromBlock`. */
  readonly pools: readonly Address[]
  /** The dollar token. Default: the quote token of the most pools. */
  readonly referenceToken?: Address | undefined
}

type Result = {
  readonly deployment: Deployment
  readonly pools: readonly Pool.Pool[]
  readonly warnings: readonly string[]
}

/** Reads the pools at the newest block. @throws `Error` with the reason of each pool if none can be read */
async function readPools(chain: Chain, flaws: ReadonlyMap<Address, string>): Promise<Snapshot> {
  try {
    return await chain.pools.getSnapshot()
  } catch (error) {
    if (flaws.size === 0) throw error
    const reasons = [...flaws].map(([pool, flaw]) => `pool ${pool}: ${flaw}`)
    throw new Error(['Cannot adopt: no pool can be read', ...reasons].join('\n'), { cause: error })
  }
}

async function checkRouter(client: PublicClient, { conversions, deployment }: Chain): Promise<readonly string[]> {
  const { router: address, factory = zeroAddress } = deployment
  const read = client.readContract({ address, abi: routerAbi, functionName: 'factory' })
  const own = await undefinedIfReverted(read)
  const { targetSwap, permit } = await conversions.getRouterFeatures()
  return [
    ...(own === undefined ? [`Router ${address} does not say which factory it uses`] : []),
    ...(own !== undefined && !isAddressEqual(own, factory) ? [`Router ${address} uses another factory: ${own}`] : []),
    ...(targetSwap ? [] : [`Router ${address} converts neither for exact outputs nor for another recipient`]),
    ...(permit ? [] : [`Router ${address} takes no permits: each conversion needs an allowance`]),
  ]
}

/** Finds the pool that a factory has for the tokens of a pool now; undefined if the factory does not say. */
async function findCurrent(client: PublicClient, factory: Address, pool: Pool.Pool): Promise<Address | undefined> {
  const [base, quote] = [pool.base.token.address, pool.quote.token.address]
  const read = (args: readonly [Address, Address]) =>
    undefinedIfReverted(client.readContract({ address: factory, abi: registryAbi, functionName: 'getCurve', args }))
  const direct = await read([base, quote])
  return direct === zeroAddress ? await read([quote, base]) : direct
}

function describeCurrent(current: Address | undefined): string {
  if (current === undefined) return 'no answer'
  return current === zeroAddress ? 'no pool' : `pool ${current}`
}

async function checkPool(client: PublicClient, { address, frozen }: Pool.Pool): Promise<readonly string[]> {
  const third = await undefinedIfReverted(
    client.readContract({ address, abi: poolAbi, functionName: 'numeraires', args: [2n] }),
  )
  return [
    ...(third ? [`Pool ${address} has more than two tokens: the service converts between the first two`] : []),
    ...(frozen ? [`Pool ${address} is frozen: it refuses conversions`] : []),
  ]
}

async function checkPricing(
  client: PublicClient,
  router: Address,
  { address, base, quote, pricing }: Pool.Pool,
): Promise<readonly string[]> {
  const amount = 10n ** BigInt(base.token.decimals)
  const args = [quote.token.address, base.token.address, quote.token.address, amount] as const
  const view = { abi: routerAbi, functionName: 'viewOriginSwap' } as const
  const output = await undefinedIfReverted(client.readContract({ ...view, address: router, args }))
  return [
    ...(pricing === 'on-chain' ? [`Pool ${address} is priced by its own view: each preview costs a call`] : []),
    ...(output ? [] : [`Router ${router} does not price 1 ${base.token.symbol} through pool ${address}`]),
  ]
}

function checkPrices({ base, quote }: Pool.Pool, { timestampSeconds }: Snapshot['block']): readonly string[] {
  return [base, quote].flatMap(({ token: { symbol: subject }, price }) => {
    const fault = OraclePrice.findFault(price, timestampSeconds)
    if (!fault) return []
    const { message } = PriceFault.toError(fault, { subject, price, nowSeconds: timestampSeconds })
    if (fault.reason !== 'age') return [message]
    const hours = Amount.format((10n * (timestampSeconds - price.updatedAtSeconds)) / 3600n, 1)
    return [`${message}. It is ${hours} hours old: if that is its heartbeat, set maxAgeSeconds of this feed`]
  })
}

/** Finds the quote token of the most pools. @throws `Error` if two tokens are the quote token of equally many pools */
function findReferenceToken(pools: readonly Pool.Pool[]): Address {
  const counts = Map.groupBy(pools, ({ quote }) => quote.token.address)
  const [first, second] = [...counts].toSorted(([, a], [, b]) => b.length - a.length)
  if (first && first[1].length !== second?.[1].length) return first[0]
  const names = [...counts.keys()].join(', ')
  throw new Error(`Cannot adopt: the reference token can be each of ${names}. Pass --reference-token`)
}

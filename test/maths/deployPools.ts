import type { Deployment } from '@agio/chain'
import { tokenAbi } from '@agio/chain/abi'
import type { Address, Network } from '@agio/core'
import { maxUint256, parseAbi } from 'viem'
import type { Owner } from '../harness/connectOwner.ts'
import { toReaderConfig } from '../harness/toReaderConfig.ts'
import { writeContract } from '../harness/writeContract.ts'

const tokenDecimals = [2, 6, 18] as const

/** A deployed pool, with its immutable parameters. */
export type DeployedPool = {
  readonly address: Address
  readonly base: DeployedSide
  readonly quote: DeployedSide
  readonly alpha: bigint
  readonly epsilon: bigint
}

export type DeployedSide = {
  readonly token: Address
  readonly decimals: number
  /** Null for the reference token. */
  readonly oracle: Address | null
  readonly maxAgeSeconds: bigint
}

/** The parameters of a pool. Alpha and epsilon are scaled by 10^18. */
export type Parameters = { readonly alpha: bigint; readonly epsilon: bigint; readonly maxAgeSeconds: bigint }

/**
 * Deploys nine empty pools, one for every pair of 2, 6 and 18 decimals.
 *
 * The three whose quote has 6 decimals share the reference token, which has no oracle; the other quotes have one.
 *
 * @param parameters one for each pool
 */
export async function deployPools(owner: Owner, parameters: readonly Parameters[]): Promise<readonly DeployedPool[]> {
  const bases = await deployTokens(owner, 'base')
  const quotes = await deployTokens(owner, 'quote')
  const pairs = bases.flatMap((base) => quotes.map((quote) => ({ base, quote })))
  const pools: DeployedPool[] = []
  for (const [index, pair] of pairs.entries()) {
    const { alpha, epsilon, maxAgeSeconds } = parameters[index] as Parameters
    const base = await deploySide(owner, { ...pair.base, maxAgeSeconds, isReference: false })
    const quote = await deploySide(owner, { ...pair.quote, maxAgeSeconds, isReference: pair.quote.decimals === 6 })
    const config = { base: base.token, quote: quote.token, baseReader: base.reader, quoteReader: quote.reader }
    const names = { name: `Pool ${index}`, symbol: `LP${index}` }
    const address = await owner.deploy('Pool', [{ ...config, ...names, alpha, epsilon, owner: owner.address }])
    pools.push({ address, base, quote, alpha, epsilon })
  }
  return pools
}

type DeployedToken = { readonly token: Address; readonly decimals: number }

async function deployTokens(owner: Owner, role: string): Promise<readonly DeployedToken[]> {
  const tokens: DeployedToken[] = []
  for (const decimals of tokenDecimals) {
    const token = await owner.deploy('testing/TestToken', [role, `${role}${decimals}`, decimals, owner.address])
    tokens.push({ token, decimals })
  }
  return tokens
}

async function deploySide(
  owner: Owner,
  {
    token,
    decimals,
    maxAgeSeconds,
    isReference,
  }: DeployedToken & Omit<DeployedSide, 'oracle'> & { isReference: boolean },
): Promise<DeployedSide & { readonly reader: Address }> {
  const oracle = isReference ? null : await owner.deploy('testing/TestOracle', ['price', 100_000_000n, owner.address])
  const reader = await owner.deploy('RateReader', [toReaderConfig(token, oracle ?? undefined, maxAgeSeconds)])
  return { token, decimals, oracle, maxAgeSeconds, reader }
}

const abi = parseAbi(['function addPool(address pool)', 'function updateAnswer(int256 answer)'])

/**
 * Builds a market from the pools that share the reference token: a million dollars on each side, and a router over them. The
 * owner holds ten million dollars of each token and has approved the router.
 *
 * @param prices one for each pool, 8 decimals
 */
export async function deployMarket(
  owner: Owner,
  { chainId, pools, prices }: { chainId: Network.ChainId; pools: readonly DeployedPool[]; prices: readonly bigint[] },
): Promise<Deployment> {
  const factory = await owner.deploy('Factory', [owner.address])
  const router = await owner.deploy('Router', [factory])
  const provide = async ({ token, decimals }: DeployedSide, pool: Address, price: bigint) => {
    const million = 10n ** BigInt(14 + decimals) / price
    const call = (functionName: 'mint' | 'approve', args: readonly [Address, bigint]) =>
      writeContract(owner.client, { address: token, abi: tokenAbi, functionName, args })
    await call('mint', [pool, million])
    await call('mint', [owner.address, 10n * million])
    await call('approve', [router, maxUint256])
  }
  for (const [index, { address, base, quote }] of pools.entries()) {
    const price = prices[index] ?? 0n
    await writeContract(owner.client, {
      address: base.oracle as Address,
      abi,
      functionName: 'updateAnswer',
      args: [price],
    })
    await provide(base, address, price)
    await provide(quote, address, 100_000_000n)
    await writeContract(owner.client, { address: factory, abi, functionName: 'addPool', args: [address] })
  }
  const referenceToken = pools[0]?.quote.token as Address
  return { chainId, router, pools: pools.map(({ address }) => address), referenceToken }
}

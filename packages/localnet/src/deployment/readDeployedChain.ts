import type { Deployment } from '@agio/chain'
import { poolAbi, rateReaderAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { createPublicClient, getAddress, zeroAddress, type PublicClient } from 'viem'
import type { DeployedChain } from '../chain/LocalChain.ts'
import { toTransport, type Provider } from '../chain/Provider.ts'
import { undefinedIfReverted } from './undefinedIfReverted.ts'

/**
 * Reads the tokens, pools and oracles of a deployment from its chain, by name. Skips a pool that cannot be read.
 *
 * @param onProgress receives a line for each skipped pool
 * @throws `Error` with the pools if no pool can be read
 */
export async function readDeployedChain(
  provider: Provider,
  deployment: Deployment,
  onProgress: (message: string) => void = () => {},
): Promise<DeployedChain> {
  const client = createPublicClient({ transport: toTransport(provider) })
  const found = await Promise.all(
    deployment.pools.map(async (address) => (await undefinedIfReverted(readPool(client, address))) ?? address),
  )
  const pools = found.filter((pool) => typeof pool !== 'string')
  const unreadable = found.filter((pool) => typeof pool === 'string')
  const { chainId } = deployment
  if (pools.length === 0)
    throw new Error(`Cannot read any pool of chain ${chainId}: ${unreadable.join(', ')} do not respond as pools`)
  for (const pool of unreadable) onProgress(`Leaving out pool ${pool} of chain ${chainId}: it cannot be read`)
  const sides = pools.flatMap(({ base, quote }) => [base, quote])
  return {
    chainId,
    deployment,
    tokens: byName(sides.map(({ symbol, token }) => [symbol, token])) as DeployedChain['tokens'],
    pools: byName(
      pools.map(({ address, base, quote }) => [`${base.symbol}/${quote.symbol}`, address]),
    ) as DeployedChain['pools'],
    oracles: byName(
      sides.filter(({ oracle }) => oracle !== zeroAddress).map(({ symbol, oracle }) => [symbol, oracle]),
    ) as DeployedChain['oracles'],
    sequencerFeed: findFeed(sides, 'sequencerFeed'),
    referenceFeed: findFeed(sides, 'referenceFeed'),
  }
}

function findFeed(sides: readonly Side[], name: OptionalFeed): Address | undefined {
  return sides.map((side) => side[name]).find((feed) => feed !== zeroAddress)
}

async function readPool(client: PublicClient, address: Address): Promise<Pool> {
  const [base, quote] = await Promise.all([readSide(client, address, 0n), readSide(client, address, 1n)])
  return { address, base, quote }
}

type Pool = { readonly address: Address; readonly base: Side; readonly quote: Side }

async function readSide(client: PublicClient, pool: Address, index: bigint): Promise<Side> {
  const read = { address: pool, abi: poolAbi } as const
  const token = await client.readContract({ ...read, functionName: 'numeraires', args: [index] })
  const reader = await undefinedIfReverted(client.readContract({ ...read, functionName: 'assimilator', args: [token] }))
  const [symbol, oracle, sequencerFeed, referenceFeed] = await Promise.all([
    client.readContract({ address: token, abi: tokenAbi, functionName: 'symbol' }),
    readFeed(client, reader, 'oracle'),
    readFeed(client, reader, 'sequencerFeed'),
    readFeed(client, reader, 'referenceFeed'),
  ])
  return { symbol, token: getAddress(token), oracle, sequencerFeed, referenceFeed }
}

/** The optional feeds of a rate reader. Readers of other deployments may have none of them. */
type OptionalFeed = 'sequencerFeed' | 'referenceFeed'

type Side = {
  readonly symbol: string
  readonly token: Address
  readonly oracle: Address
} & Readonly<Record<OptionalFeed, Address>>

/** Reads the address of a feed; zero if the reader has no such feed. */
async function readFeed(
  client: PublicClient,
  reader: Address | undefined,
  functionName: 'oracle' | OptionalFeed,
): Promise<Address> {
  if (reader === undefined) return zeroAddress
  const feed = client.readContract({ address: reader, abi: rateReaderAbi, functionName })
  return getAddress((await undefinedIfReverted(feed)) ?? zeroAddress)
}

function byName(entries: readonly (readonly [string, Address])[]): Record<string, Address> {
  return Object.fromEntries(entries)
}

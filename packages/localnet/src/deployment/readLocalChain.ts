import type { Deployment } from '@agio/chain'
import { poolAbi, rateReaderAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { createPublicClient, getAddress, http, zeroAddress, type PublicClient } from 'viem'
import type { LocalChain } from '../chain/LocalChain.ts'

/** Reads the tokens, pools and oracles of a deployment from its chain, by name. */
export async function readLocalChain(rpcUrl: string, deployment: Deployment): Promise<LocalChain> {
  const client = createPublicClient({ transport: http(rpcUrl, { batch: true }) })
  const pools = await Promise.all(deployment.pools.map((address) => readPool(client, address)))
  const sides = pools.flatMap(({ base, quote }) => [base, quote])
  return {
    chainId: deployment.chainId,
    rpcUrl,
    deployment,
    tokens: byName(sides.map(({ symbol, token }) => [symbol, token])) as LocalChain['tokens'],
    pools: byName(
      pools.map(({ address, base, quote }) => [`${base.symbol}/${quote.symbol}`, address]),
    ) as LocalChain['pools'],
    oracles: byName(
      sides.filter(({ oracle }) => oracle !== zeroAddress).map(({ symbol, oracle }) => [symbol, oracle]),
    ) as LocalChain['oracles'],
  }
}

async function readPool(client: PublicClient, address: Address): Promise<Pool> {
  const [base, quote] = await Promise.all([readSide(client, address, 0n), readSide(client, address, 1n)])
  return { address, base, quote }
}

type Pool = { readonly address: Address; readonly base: Side; readonly quote: Side }

async function readSide(client: PublicClient, pool: Address, index: bigint): Promise<Side> {
  const read = { address: pool, abi: poolAbi } as const
  const token = await client.readContract({ ...read, functionName: 'numeraires', args: [index] })
  const [symbol, reader] = await Promise.all([
    client.readContract({ address: token, abi: tokenAbi, functionName: 'symbol' }),
    client.readContract({ ...read, functionName: 'assimilator', args: [token] }),
  ])
  const oracle = await client.readContract({ address: reader, abi: rateReaderAbi, functionName: 'oracle' })
  return { symbol, token: getAddress(token), oracle: getAddress(oracle) }
}

type Side = { readonly symbol: string; readonly token: Address; readonly oracle: Address }

function byName(entries: readonly (readonly [string, Address])[]): Record<string, Address> {
  return Object.fromEntries(entries)
}

import { poolAbi, tokenAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { parseAbi } from 'viem'
import { connectOwner } from '../harness/connectOwner.ts'

const oracleAbi = parseAbi([
  'function latestRoundData() view returns (uint80, int256 answer, uint256, uint256, uint80)',
])

/** Returns the state of a chain that scenarios change, by name: reserves, the faucet's stock, prices, frozen pools, mining. */
export async function readWorld(chain: LocalChain): Promise<Readonly<Record<string, unknown>>> {
  const { client } = connectOwner(chain)
  const holders = { ...chain.pools, ...(chain.deployment.faucet && { faucet: chain.deployment.faucet }) }
  const world: [string, unknown][] = [['mining', await client.getAutomine()]]
  for (const [holder, address] of Object.entries(holders)) {
    for (const [symbol, token] of Object.entries(chain.tokens)) {
      const read = { address: token, abi: tokenAbi, functionName: 'balanceOf', args: [address] } as const
      world.push([`${symbol} of ${holder}`, await client.readContract(read)])
    }
  }
  const { oracles, sequencerFeed, referenceFeed } = chain
  const feeds = { ...oracles, ...(sequencerFeed && { sequencerFeed }), ...(referenceFeed && { referenceFeed }) }
  for (const [symbol, address] of Object.entries(feeds)) {
    const [, answer] = await client.readContract({ address, abi: oracleAbi, functionName: 'latestRoundData' })
    world.push([`answer of ${symbol}`, answer])
  }
  for (const [name, address] of Object.entries(chain.pools)) {
    world.push([`${name} frozen`, await client.readContract({ address, abi: poolAbi, functionName: 'frozen' })])
  }
  return Object.fromEntries(world)
}

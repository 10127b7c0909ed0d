import type { Network } from '@agio/core'
import { createPublicClient, http } from 'viem'

/**
 * Returns the block of another node at which a fork begins.
 *
 * A live network is forked at Hardhat's default block, some minutes behind the head, because Hardhat caches state only
 * there. A development node is forked at its head, with its latest transactions.
 *
 * @throws `Error` if the node does not respond, or serves another chain
 */
export async function findForkOrigin(url: string, chainId: Network.ChainId): Promise<findForkOrigin.Origin> {
  const client = createPublicClient({ transport: http(url, { retryCount: 1 }) })
  const actual = await client.getChainId().catch((cause: unknown) => {
    throw new Error(`Cannot fork chain ${chainId}: ${nameOf(url)} does not respond`, { cause })
  })
  if (actual !== chainId) {
    throw new Error(`Cannot fork chain ${chainId}: ${nameOf(url)} is a node of chain ${actual}`)
  }
  const version = await client.request({ method: 'web3_clientVersion' }).catch(() => '')
  return /^(hardhat|anvil)/i.test(version) ? { url, blockNumber: await client.getBlockNumber() } : { url }
}

export declare namespace findForkOrigin {
  type Origin = { readonly url: string; readonly blockNumber?: bigint }
}

// The path of an RPC URL often contains a key.
function nameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an invalid URL'
}

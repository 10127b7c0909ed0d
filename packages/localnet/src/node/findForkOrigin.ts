import type { ChainId } from '@agio/core'
import { createPublicClient, http } from 'viem'

/**
 * The block of another node that a fork begins at.
 *
 * A live network is forked where Hardhat wants to, some minutes behind its head: only there does it keep what it read.
 * A development node is forked at its head, with all that was just done on it.
 *
 * @throws `Error` if nobody answers, or if it is another chain
 */
export async function findForkOrigin(url: string, chainId: ChainId): Promise<findForkOrigin.Origin> {
  const client = createPublicClient({ transport: http(url, { retryCount: 1 }) })
  const actual = await client.getChainId().catch((cause: unknown) => {
    throw new Error(`Cannot fork chain ${chainId}: ${nameOf(url)} does not answer`, { cause })
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

// An RPC URL often has a key in its path.
function nameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'what is not a URL'
}

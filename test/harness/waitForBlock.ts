import type { LocalChain } from '@agio/localnet'
import { vi } from 'vitest'
import { connectOwner } from './connectOwner.ts'
import { eventually } from './timeLimits.ts'

/** Waits until a service has seen the newest block of a chain, by its health, which makes no call to a node. */
export async function waitForBlock(url: string, chain: LocalChain): Promise<void> {
  const newest = Number(await connectOwner(chain).client.getBlockNumber({ cacheTime: 0 }))
  const isSeen = async () => {
    const { chains } = await readHealth(url)
    return chains.some(({ chainId, blockNumber }) => chainId === chain.chainId && blockNumber === newest)
  }
  await vi.waitUntil(isSeen, eventually)
}

/** The response of `/health`. */
export type Health = {
  readonly status: string
  readonly chains: readonly { readonly chainId: number; readonly blockNumber: number }[]
}

/** Reads the health of a service, which makes no call to a node. */
export async function readHealth(url: string): Promise<Health> {
  return (await (await fetch(`${url}/health`)).json()) as Health
}

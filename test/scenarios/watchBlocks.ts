import type { Hex } from 'viem'
import type { Owner } from '../stack/connectOwner.ts'

/** Looks again and again which blocks a chain has, and tells in the end the hashes that each of some numbers has had. */
export function watchBlocks({ client }: Owner, numbers: readonly bigint[]): Watch {
  const hashes = numbers.map(() => new Set<Hex>())
  const look = async () => {
    const blocks = numbers.map((blockNumber) => client.getBlock({ blockNumber }).catch(() => undefined))
    for (const [index, block] of (await Promise.all(blocks)).entries()) if (block) hashes[index]?.add(block.hash)
  }
  const stopping = new AbortController()
  const watching = (async () => {
    while (!stopping.signal.aborted) await look()
  })()
  return {
    async stop() {
      stopping.abort()
      await watching
      await look()
      return hashes
    },
  }
}

type Watch = { stop(): Promise<readonly ReadonlySet<Hex>[]> }

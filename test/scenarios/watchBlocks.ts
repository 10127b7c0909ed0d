import type { Hex } from 'viem'
import type { Owner } from '../harness/connectOwner.ts'

/** Polls blocks of a chain by number, and returns on stop the hashes that each number has had. */
export function watchBlocks({ client }: Owner, numbers: readonly bigint[]): Watch {
  const hashes = numbers.map(() => new Set<Hex>())
  const poll = async () => {
    const blocks = numbers.map((blockNumber) => client.getBlock({ blockNumber }).catch(() => undefined))
    for (const [index, block] of (await Promise.all(blocks)).entries()) if (block) hashes[index]?.add(block.hash)
  }
  const stopping = new AbortController()
  const watching = (async () => {
    while (!stopping.signal.aborted) await poll()
  })()
  return {
    async stop() {
      stopping.abort()
      await watching
      await poll()
      return hashes
    },
  }
}

type Watch = { stop(): Promise<readonly ReadonlySet<Hex>[]> }

import type { Hex } from 'viem'
import type { CallerStreams } from '../Streams.ts'
import type { StreamChain } from '../TopicSource.ts'

// How long a topic that waits for a slot waits for one block.
const headWaitMs = 2000

/**
 * Waits until there is a slot for a poll, or until a new block concerns the transaction. Then the poll leaves the queue of its
 * key. Returns false if the stream or the chain ends first.
 */
export async function waitForSlot({
  chain,
  takePoll,
  isConcerned,
  client,
  comparedHash,
}: waitForSlot.Options): Promise<boolean> {
  const leaving = new AbortController()
  const signal = client ? AbortSignal.any([client, leaving.signal]) : leaving.signal
  const slot = takePoll(signal).then(() => 'slot' as const)
  let seen = comparedHash
  try {
    for (;;) {
      const outcome = await Promise.race([slot, chain.heads.next(headWaitMs, seen, signal)])
      if (!outcome || client?.aborted) return false
      if (outcome === 'slot') return true
      const newest = chain.heads.find()?.hash
      if (newest === seen) continue
      seen = newest
      if (await isConcerned()) return true
    }
  } finally {
    leaving.abort()
  }
}

export declare namespace waitForSlot {
  type Options = Pick<CallerStreams, 'takePoll'> & {
    readonly chain: StreamChain
    /** Compares the transaction with the new blocks. */
    readonly isConcerned: () => Promise<boolean>
    /** Aborts when the stream ends. */
    readonly client: AbortSignal | undefined
    /** The newest block that the transaction was compared with. */
    readonly comparedHash: Hex | undefined
  }
}

import type { Hex } from 'viem'
import type { Head } from './Head.ts'

// How many numbers are remembered: a node that lags further behind is not known by its answer.
const kept = 64n

/** Remembers which block was the one of its number, for the last 64 numbers up to the newest head. */
export function createRecentHeads(): RecentHeads {
  const hashes = new Map<bigint, Hex>()
  return {
    add({ number, hash, parentHash }) {
      if (parentHash) hashes.set(number - 1n, parentHash)
      hashes.set(number, hash)
      for (const known of hashes.keys()) if (known > number || known <= number - kept) hashes.delete(known)
    },
    has: ({ number, hash }) => hashes.get(number) === hash,
    hasNumber: (number) => hashes.has(number),
  }
}

export type RecentHeads = {
  /** Takes a block for the newest head, and its parent for the one before: whatever was above it is forgotten. */
  add(head: Head): void
  /** Whether a block is the newest head or an ancestor of it. */
  has(head: Head): boolean
  /** Whether the block of a number is known. */
  hasNumber(number: bigint): boolean
}

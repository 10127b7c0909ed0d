import type { Hex } from 'viem'
import type { Head } from './Head.ts'

// The most blocks between two reads in use. A longer jump may lead to another chain.
const maxJump = 16n

// How many block numbers are remembered: a node that lags further behind cannot be distinguished from a reorganisation.
const rememberedBlocks = 64n

/** Holds the newest head, and decides which answer of nodes that may lag behind each other replaces it. */
export function createHeadSelector({ maxAgeMs, now }: createHeadSelector.Settings): HeadSelector {
  const recent = createRecentHeads()
  let head: Head | undefined
  let confirmedAtMs = -Infinity

  /** Whether a block could be either an ancestor of the head or its replacement by a reorganisation. */
  const isUnknownAncestor = ({ number }: Head) => number < (head?.number ?? 0n) && !recent.hasNumber(number)

  /** Whether a block has a known parent, or may have a later one: this is not so for one of another chain or fork. */
  function follows({ number, parentHash }: Head): boolean {
    const knownNumber = head?.number ?? number
    if (parentHash && recent.has({ number: number - 1n, hash: parentHash })) return true
    const isGap = number > knownNumber + 1n || parentHash === undefined
    return isGap && number > knownNumber && number <= knownNumber + maxJump
  }
  const isFresh = () => now() - confirmedAtMs <= maxAgeMs
  return {
    state: () => ({ head, confirmedAtMs }),
    isAncestor: recent.has,
    isDoubtful: (answer) =>
      head !== undefined && !recent.has(answer) && (isUnknownAncestor(answer) || !follows(answer)),
    accept(answer) {
      const isSame = answer.hash === head?.hash
      // A node that answers an ancestor of the head only lags.
      if (head && !isSame && isFresh() && recent.has(answer)) return head
      confirmedAtMs = now()
      if (head && isSame) return head
      recent.add(answer)
      head = answer
      return head
    },
  }
}

export declare namespace createHeadSelector {
  type Settings = {
    /** How long an unconfirmed head outweighs an ancestor that a node answers. */
    readonly maxAgeMs: number
    readonly now: () => number
  }
}

export type HeadSelector = {
  /** The newest head, and when a node last confirmed it. */
  state(): ConfirmedHead
  /** Whether a block is the newest head or a known ancestor of it. */
  isAncestor(block: Head): boolean
  /**
   * Whether a block does not follow the known ones: it may be an unknown ancestor of the head, one of a reorganisation, or one
   * of another chain.
   */
  isDoubtful(head: Head): boolean
  /**
   * Takes a node's answer.
   *
   * @returns the current head afterwards: an ancestor of a fresh head does not replace it
   */
  accept(answer: Head): Head
}

/** A head, and when a node last confirmed it, in milliseconds; `-Infinity` if none did. */
export type ConfirmedHead = { readonly head: Head | undefined; readonly confirmedAtMs: number }

type RecentHeads = {
  /** Records the newest head and its parent, and forgets every block above it. */
  add(head: Head): void
  /** Whether a block is the newest head or an ancestor of it. */
  has(block: Pick<Head, 'number' | 'hash'>): boolean
  hasNumber(number: bigint): boolean
}

function createRecentHeads(): RecentHeads {
  const hashes = new Map<bigint, Hex>()
  return {
    add({ number, hash, parentHash }) {
      if (parentHash) hashes.set(number - 1n, parentHash)
      hashes.set(number, hash)
      for (const known of hashes.keys()) {
        if (known > number || known <= number - rememberedBlocks) hashes.delete(known)
      }
    },
    has: ({ number, hash }) => hashes.get(number) === hash,
    hasNumber: (number) => hashes.has(number),
  }
}

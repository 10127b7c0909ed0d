import type { Hex } from 'viem'
import type { Head } from './Head.ts'

// The maximum number of blocks between two reads while the chain is in use. A longer jump may lead to another chain.
const maxJump = 16n

// The number of heads to which the memory can return.
const rememberedStates = 8

// The number of remembered block numbers. A node that lags further behind cannot be distinguished from a
// reorganisation.
// A minute of blocks at four per second.
const rememberedBlocks = 256n

/**
 * Holds the newest head. Nodes may lag behind each other, so the selector decides whether a block from a node replaces
 * the head.
 */
export function createHeadSelector({ maxAgeMs, now }: createHeadSelector.Options) {
  const recent = createRecentHeads()
  let head: Head | undefined
  let confirmedAtMs = -Infinity

  /** Returns whether a block is below the remembered blocks. It may be an ancestor of the head or of another fork. */
  const isBelowRemembered = ({ number }: Head) => number < (head?.number ?? 0n) && !recent.hasNumber(number)

  /**
   * Returns whether a block may follow the known blocks: its parent is known, or some blocks in between were not seen.
   * A block of another chain or fork does not follow.
   */
  function follows({ number, parentHash }: Head): boolean {
    const headNumber = head?.number ?? number
    if (parentHash && recent.has({ number: number - 1n, hash: parentHash })) return true
    const isGap = number > headNumber + 1n || parentHash === undefined
    return isGap && number > headNumber && number <= headNumber + maxJump
  }
  const isFresh = () => now() - confirmedAtMs <= maxAgeMs
  return {
    /** Returns the newest head, and when a node last confirmed it. */
    state: () => ({ head, confirmedAtMs }),
    /** Returns whether a block is the newest head or a known ancestor of it. */
    isAncestor: recent.has,
    /** Returns whether a block is the newest head, or an ancestor of it by parent hashes that nodes have returned. */
    isLinked: recent.isLinked,
    /**
     * Returns whether a block does not follow the remembered blocks. It may be an older ancestor of the head, or belong to
     * a reorganisation or to another chain.
     */
    mayBeOtherChain: (answer: Head) =>
      head !== undefined && !recent.has(answer) && (isBelowRemembered(answer) || !follows(answer)),
    /** Replaces the newest head by an earlier one, since no node can read the newest head. */
    restore(confirmed: ConfirmedHead): void {
      ;({ head, confirmedAtMs } = confirmed)
      recent.restore(head)
    },
    /**
     * Takes a head from a response or a notice of a node. An ancestor of a fresh head does not replace the head.
     *
     * @returns the current head afterwards
     */
    accept(answer: Head): Head {
      const isSame = answer.hash === head?.hash
      // A node that returns an ancestor of the head lags. The head stays.
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
  type Options = {
    /** How long an unconfirmed head takes precedence over an ancestor from a node. */
    readonly maxAgeMs: number
    readonly now: () => number
  }
}

/** Selects the newest head from the heads that nodes return. */
export type HeadSelector = ReturnType<typeof createHeadSelector>

/** A head, and when a node last confirmed it, in milliseconds; `-Infinity` if no node did. */
export type ConfirmedHead = { readonly head: Head | undefined; readonly confirmedAtMs: number }

type RecentState = { readonly hash: Hex; readonly hashes: ReadonlyMap<bigint, Hex>; readonly linkedFrom: bigint }

function createRecentHeads() {
  let hashes = new Map<bigint, Hex>()
  // The lowest number from which the blocks are linked to the newest head by their parent hashes.
  let linkedFrom = 0n
  // The memory after each of the last heads.
  let states: readonly RecentState[] = []

  function add({ number, hash, parentHash }: Head): void {
    const lowest = parentHash === undefined ? number : number - 1n
    const isLinked = parentHash !== undefined && hashes.get(number - 1n) === parentHash
    if (!isLinked || linkedFrom > lowest) linkedFrom = lowest
    if (parentHash) hashes.set(number - 1n, parentHash)
    hashes.set(number, hash)
    for (const remembered of hashes.keys()) {
      if (remembered > number || remembered <= number - rememberedBlocks) hashes.delete(remembered)
    }
    states = [...states.slice(1 - rememberedStates), { hash, hashes: new Map(hashes), linkedFrom }]
  }
  return {
    /** Records the newest head and its parent, and forgets every block above it. */
    add,
    /** Remembers what was remembered when a head was added, and forgets every head that was added since. */
    restore(head: Head | undefined): void {
      const state = states.findLast(({ hash }) => hash === head?.hash)
      hashes = new Map(state?.hashes)
      linkedFrom = state?.linkedFrom ?? 0n
      if (head) add(head)
    },
    /** Returns whether a block is the newest head or an ancestor of it. */
    has: ({ number, hash }: Pick<Head, 'number' | 'hash'>) => hashes.get(number) === hash,
    /** Returns whether a block is the newest head, or an ancestor of it without a gap in between. */
    isLinked: ({ number, hash }: Pick<Head, 'number' | 'hash'>) => number >= linkedFrom && hashes.get(number) === hash,
    hasNumber: (number: bigint) => hashes.has(number),
  }
}

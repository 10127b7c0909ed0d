import { createRecentHeads } from './createRecentHeads.ts'
import type { Head } from './Head.ts'

/** Holds the newest head, and decides which of the answers of nodes that may lag behind each other replaces it. */
export function createNewest({ maxAgeMs, now }: createNewest.Settings): Newest {
  const recent = createRecentHeads()
  let head: Head | undefined
  let confirmedAtMs = -Infinity

  const isFresh = () => now() - confirmedAtMs <= maxAgeMs
  return {
    state: () => ({ head, confirmedAtMs }),
    isAncestor: recent.has,
    isDoubtful: ({ number }) => head !== undefined && number < head.number && !recent.hasNumber(number),
    accept(answer) {
      const isSame = answer.hash === head?.hash
      // Who answers an ancestor of the head only lags.
      if (head && !isSame && isFresh() && recent.has(answer)) return head
      confirmedAtMs = now()
      if (head && isSame) return head
      recent.add(answer)
      head = answer
      return head
    },
  }
}

export declare namespace createNewest {
  type Settings = {
    /** How long an unconfirmed head counts for more than what a node says. */
    readonly maxAgeMs: number
    readonly now: () => number
  }
}

export type Newest = {
  state(): { readonly head: Head | undefined; readonly confirmedAtMs: number }
  /** Whether a block is the newest head or, as far as is known, an ancestor of it. */
  isAncestor(block: Head): boolean
  /** Whether a block that comes unasked may be an ancestor of the head or its successor by a reorganisation. */
  isDoubtful(notice: Head): boolean
  /**
   * Takes a node's answer.
   *
   * @returns what the head is now: an ancestor of a fresh one leaves it as it is
   */
  accept(answer: Head): Head
}

import type { ServiceError } from '@agio/core'
import type { Head } from './Head.ts'
import type { HeadSelector } from './createHeadSelector.ts'

// A caller waits for the prefetch in progress and for the next one, which is of a later head, and once more after a
// reorganisation.
const maxPrefetches = 3

/**
 * Holds the head that callers get. While the chain is in use, a new head is published only after its data is
 * prefetched. Until then the previous head is served, so a new block never blocks a request. The first head, the heads
 * after a reorganisation and the heads after a pause are prefetched too.
 *
 * A head whose prefetch fails is not published: the previous head is served until its maximum age. Then the newest head is
 * published in any case.
 */
export function createPublishedHead(dependencies: createPublishedHead.Dependencies) {
  const { selector, prefetch, isInUse } = dependencies
  const current = createCurrentHead(dependencies)
  let next: (Confirmed & { readonly prefetched: Promise<void> }) | undefined
  let error: ServiceError | undefined
  // Why the data of the published head was not prefetched: the read failed, or the chain was idle. After a failure it is read
  // again until a read succeeds, also while the chain is idle.
  let unread: 'failed' | 'idle' | undefined

  function publishNewest(reason = unread): void {
    unread = reason
    const { head, confirmedAtMs } = selector.state()
    if (head) current.publish({ head, confirmedAtMs })
  }
  const mustPrefetch = () => unread === 'failed' || isInUse()
  const findRead = (published: Head | undefined) => (unread === 'failed' ? undefined : published)
  function update(): void {
    const { head, confirmedAtMs } = selector.state()
    if (!head) return
    if (next?.head === head) next = { ...next, confirmedAtMs }
    const published = current.state().head
    if (head === published) {
      publishNewest()
      // The head was published unread, or the head that could not be read is gone.
      if (unread && mustPrefetch() && !next) follow(head, confirmedAtMs, prefetch(head, findRead(published)))
      if (!unread) error = undefined
      return
    }
    if (next) return
    const prefetching = !published || mustPrefetch() ? prefetch(head, findRead(published)) : undefined
    if (!prefetching) return publishNewest(mustPrefetch() ? unread : 'idle')
    follow(head, confirmedAtMs, prefetching)
  }
  function follow(head: Head, confirmedAtMs: number, prefetching: ReturnType<Prefetch>): void {
    if (prefetching) next = { head, confirmedAtMs, prefetched: prefetching.then(finish) }
  }
  /** Returns whether a prefetched head may be published: it is on the newest chain, and not before the published head. */
  function isNewer(head: Head): boolean {
    const published = current.state().head
    if (!selector.isAncestor(head)) return false
    return !published || !selector.isAncestor(published) || head.number > published.number
  }
  async function finish(outcome: PrefetchOutcome): Promise<void> {
    const prefetched = next
    next = undefined
    error = outcome.error
    if (!prefetched) return
    // A reorganisation may have replaced this head in the meantime. A later block is prefetched afterwards.
    if (!outcome.error && isNewer(prefetched.head)) current.publish(prefetched)
    if (!outcome.error) unread = undefined
    if (outcome.isUnreadable) await dependencies.onUnreadable(prefetched.head)
    // The next response of a node starts another prefetch of the same head.
    if (!outcome.error || selector.state().head !== prefetched.head) update()
    // Without a fresh head, callers wait for one prefetch only: the next head may not be readable either.
    if (!current.findFresh()) publishNewest(outcome.isDisputed ? unread : 'failed')
  }
  function isReached(head: Head): boolean {
    const published = current.state().head
    return published !== undefined && published.number >= head.number && selector.isAncestor(published)
  }
  return {
    state: current.state,
    /** Returns the published head; undefined if no node has confirmed it within `maxAgeMs`. */
    findFresh: current.findFresh,
    /** Returns the error of the last prefetch, if it failed and the chain is in use or cannot be read. */
    findError: () => (mustPrefetch() ? error : undefined),
    /** Returns whether the published head could not be read, so that nothing of its chain can be priced. */
    isUnread: () => unread === 'failed' && error !== undefined,
    update,
    /** Resolves with the published head once it is the given head or a later one, or after three prefetches. */
    async waitForHead(head: Head): Promise<Head> {
      for (let count = 0, waited = next; waited && count < maxPrefetches && !isReached(head); count += 1) {
        await waited.prefetched
        waited = next
      }
      if (!current.findFresh()) publishNewest()
      return current.state().head ?? head
    },
  }
}

export declare namespace createPublishedHead {
  type Dependencies = {
    readonly selector: Pick<HeadSelector, 'state' | 'isAncestor'>
    /** How long an unconfirmed head may be served while the next one is prefetched. */
    readonly maxAgeMs: number
    readonly now: () => number
    /**
     * Returns whether a request arrived recently. Then new heads are prefetched, so that the next request neither waits
     * for their data nor fails with the node.
     */
    readonly isInUse: () => boolean
    readonly prefetch: Prefetch
    /** Called with a head that no node could read, before another head is prefetched. Never rejects. */
    readonly onUnreadable: (head: Head) => Promise<void>
    /** Called after each change of the published head. */
    readonly onChange: () => void
  }
}

/** Loads the data of a new head. Never rejects. Returns undefined if there is nothing to load. */
export type Prefetch = (head: Head, published: Head | undefined) => Promise<PrefetchOutcome> | undefined

/**
 * The outcome of a prefetch: its error if it failed, and whether it failed because no node has the state of the head, or because
 * two nodes contradict each other.
 */
export type PrefetchOutcome = {
  readonly error?: ServiceError
  readonly isUnreadable?: boolean
  readonly isDisputed?: boolean
}

/** The head that callers get. */
export type PublishedHead = ReturnType<typeof createPublishedHead>

type Confirmed = { readonly head: Head; readonly confirmedAtMs: number }

/** Holds the currently published head and its age. */
function createCurrentHead({
  maxAgeMs,
  now,
  onChange,
}: Pick<createPublishedHead.Dependencies, 'maxAgeMs' | 'now' | 'onChange'>) {
  let published: Confirmed | undefined
  return {
    state: () => ({ head: published?.head, confirmedAtMs: published?.confirmedAtMs ?? -Infinity }),
    findFresh: () => (published && now() - published.confirmedAtMs <= maxAgeMs ? published.head : undefined),
    publish({ head, confirmedAtMs }: Confirmed): void {
      const isNew = head !== published?.head
      published = { head, confirmedAtMs }
      if (isNew) onChange()
    },
  }
}

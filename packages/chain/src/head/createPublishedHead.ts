import type { Head } from './Head.ts'
import type { ConfirmedHead, HeadSelector } from './createHeadSelector.ts'

/**
 * Holds the head that callers get. While the chain is in use, a new head is published only after its data is
 * prefetched. Until then the previous head is served, so a new block never blocks a request. The first head is
 * prefetched too.
 *
 * The block of a reorganisation is published at once. After a head passes its maximum age, the next head is also
 * published at once.
 */
export function createPublishedHead({
  selector,
  prefetch,
  isInUse,
  ...dependencies
}: createPublishedHead.Dependencies): PublishedHead {
  const current = createCurrentHead(dependencies)
  let next: (Confirmed & { readonly prefetched: Promise<void> }) | undefined

  function publishNewest(): void {
    const { head, confirmedAtMs } = selector.state()
    if (head) current.publish({ head, confirmedAtMs })
  }
  function update(): void {
    const { head, confirmedAtMs } = selector.state()
    if (!head) return
    if (next?.head === head) next = { ...next, confirmedAtMs }
    if (!mayWait(head, current, selector)) return publishNewest()
    if (next) return
    const published = current.state().head
    const prefetched = !published || isInUse() ? prefetch(head, published) : undefined
    if (!prefetched) return publishNewest()
    next = { head, confirmedAtMs, prefetched: prefetched.then(finish) }
  }
  function finish(): void {
    const prefetched = next
    next = undefined
    // A reorganisation may have replaced this head in the meantime. A later block is prefetched afterwards.
    if (prefetched && current.isBefore(prefetched.head) && selector.isAncestor(prefetched.head)) {
      current.publish(prefetched)
    }
    update()
  }
  return {
    state: current.state,
    findFresh: current.findFresh,
    update,
    async waitForHead(head) {
      // Without a fresh head there is nothing to serve until the prefetch ends.
      if (!current.findFresh()) publishNewest()
      for (let waited = next; waited && current.isBefore(head); waited = next) await waited.prefetched
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
    /** Called after each change of the published head. */
    readonly onChange: () => void
  }
}

/** Loads the data of a new head. Never rejects. Returns undefined if there is nothing to load. */
export type Prefetch = (head: Head, published: Head | undefined) => Promise<void> | undefined

/** The head that callers get. */
export type PublishedHead = {
  state(): ConfirmedHead
  /** Returns the published head; undefined if no node has confirmed it within `maxAgeMs`. */
  findFresh(): Head | undefined
  /** Follows the selector's head. */
  update(): void
  /** Resolves with the published head once it is the given head or a later one. */
  waitForHead(head: Head): Promise<Head>
}

type Confirmed = { readonly head: Head; readonly confirmedAtMs: number }

/**
 * Returns whether the head may wait for its prefetch: callers can be served until then, or no head is published yet.
 */
function mayWait(head: Head, current: CurrentHead, selector: Pick<HeadSelector, 'isAncestor'>): boolean {
  const published = current.state().head
  if (!published) return true
  return head !== published && current.findFresh() !== undefined && selector.isAncestor(published)
}

type CurrentHead = Pick<PublishedHead, 'state' | 'findFresh'> & {
  publish(confirmed: Confirmed): void
  /** Returns whether a head has a higher number than the published head, or no head is published yet. */
  isBefore(head: Head): boolean
}

/** Holds the currently published head and its age. */
function createCurrentHead({
  maxAgeMs,
  now,
  onChange,
}: Pick<createPublishedHead.Dependencies, 'maxAgeMs' | 'now' | 'onChange'>): CurrentHead {
  let published: Confirmed | undefined
  return {
    state: () => ({ head: published?.head, confirmedAtMs: published?.confirmedAtMs ?? -Infinity }),
    findFresh: () => (published && now() - published.confirmedAtMs <= maxAgeMs ? published.head : undefined),
    publish({ head, confirmedAtMs }) {
      const isNew = head !== published?.head
      published = { head, confirmedAtMs }
      if (isNew) onChange()
    },
    isBefore: ({ number }) => published === undefined || number > published.head.number,
  }
}

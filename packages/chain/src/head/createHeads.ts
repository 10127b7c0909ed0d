import { Async } from '@agio/core'
import type { Hex } from 'viem'
import { createHeadFeed } from './createHeadFeed.ts'
import { createHeadPace } from './createHeadPace.ts'
import type { ReadState } from './createHeadReader.ts'
import { createHeadSelector, type ConfirmedHead, type HeadSelector } from './createHeadSelector.ts'
import { createPublishedHead, type Prefetch, type PublishedHead } from './createPublishedHead.ts'
import { isSameHead, type Head } from './Head.ts'
import type { Subscribe } from './Subscription.ts'

/** New heads are prefetched for this time after a request. If a node fails in this time, the newest head is served. */
const inUseForMs = 30_000
// Operators pay for each request to a node. With a check of the chain id every half a minute, an idle chain sends its node
// less than one request per second.
const pollMs = { inUse: 400, idle: 1050 } as const

/**
 * Follows a chain's newest block by polling, and by a subscription to new blocks if a node has one.
 *
 * The head moves back only after a reorganisation. A node that lags behind another node does not move it back.
 */
export function createHeads({ read, subscribe, prefetch, maxAgeMs, ...dependencies }: createHeads.Dependencies): Heads {
  const { maxBlockAgeMs = 300_000, now = () => performance.now() } = dependencies
  let stopped = false
  const { isInUse, getPollMs, use } = createUse({ now, wake })
  const changed = Async.createNotifier()
  const pace = createHeadPace({ now })
  const selector = createHeadSelector({ maxAgeMs, now })
  const published = createPublishedHead({
    selector,
    maxAgeMs,
    now,
    isInUse,
    prefetch: prefetch ?? (() => undefined),
    onUnreadable: async (head) => void (await replace(head)),
    onChange: changed.notify,
  })
  const replace = createReplace({ selector, published, read, accept, onUnreadable: dependencies.onUnreadable })
  function accept(answer: Head): Head {
    const head = selector.accept(answer)
    pace.observe(head)
    dependencies.onAnswer?.(head)
    published.update()
    return head
  }
  const feed = createHeadFeed({ read, subscribe, accept, mayBeWrong: selector.mayBeOtherChain, getPollMs, now })
  const refresh = async () => await published.waitForHead(await feed.refresh())
  /** If the node does not answer in time, the last confirmed head is served, as in use. */
  async function wake(): Promise<Head> {
    const read = feed.wake().then(published.waitForHead)
    await Async.waitAtMost(feed.state().slowAfterMs, read.then(ignore, ignore))
    return published.findFresh() ?? (await read)
  }

  return {
    get() {
      return use() ?? published.findFresh() ?? refresh()
    },
    findFresh: published.findFresh,
    isInUse,
    refresh,
    async replace(head) {
      const other = await replace(head)
      if (other) return other
      const newest = selector.state().head
      return newest && newest !== head ? await published.waitForHead(newest) : await refresh()
    },
    async next(timeoutMs, seen, abort) {
      void use()
      // Without `seen`, the caller waits only if no fresh head is published. A head past its maximum age is not fresh.
      const isSeen = seen === undefined ? !published.findFresh() : published.state().head?.hash === seen
      if (!stopped && isSeen && abort?.aborted !== true) await Async.waitAtMost(timeoutMs, changed.wait(), abort)
      return !stopped
    },
    state() {
      const reads = feed.state()
      return {
        ...published.state(),
        ...reads,
        error: reads.error ?? published.findError(),
        isUnread: published.isUnread(),
        maxAgeMs,
      }
    },
    mayBeOtherChain: selector.mayBeOtherChain,
    isLinked: selector.isLinked,
    judgeAge({ timestampSeconds }, wallMs) {
      if (Math.floor(wallMs / 1000) - Number(timestampSeconds) <= maxBlockAgeMs / 1000) return 'recent'
      return (pace.findAgeMs({ timestampSeconds }) ?? Infinity) <= maxBlockAgeMs ? 'clock-suspect' : 'old'
    },
    stop() {
      stopped = true
      feed.stop()
      changed.notify()
    },
  }
}

export declare namespace createHeads {
  type Dependencies = {
    readonly read: () => Promise<Head>
    readonly subscribe?: Subscribe | undefined
    /** Loads the data of a new head before it is published, while the chain is in use. */
    readonly prefetch?: Prefetch | undefined
    /** How long an unconfirmed head may be used. */
    readonly maxAgeMs: number
    /**
     * Called with a head that no node could read. Returns the newest block of another node than the one that announced it;
     * undefined if there is no other node.
     */
    readonly onUnreadable?: ((head: Head) => Promise<Head | undefined>) | undefined
    /** Called with the newest head after each answer of a node. */
    readonly onAnswer?: ((head: Head) => void) | undefined
    /** The newest block counts as old above this age; 300,000 by default. */
    readonly maxBlockAgeMs?: number | undefined
    readonly now?: (() => number) | undefined
  }
}

/**
 * The age of a block. A `recent` block is recent by the wall clock. A `clock-suspect` block is recent only by the pace of
 * the chain, which advances in step with the monotonic clock. An `old` block is not recent by either.
 */
type BlockAge = 'recent' | 'clock-suspect' | 'old'

/** The published head, when a node last confirmed it, its maximum age, and the outcome of the reads of the newest block. */
type HeadState = ConfirmedHead & ReadState & { readonly isUnread?: boolean; readonly maxAgeMs: number }

/** The heads of a chain: the newest head, its age, and notices of new heads. */
export type Heads = {
  /**
   * Returns the newest head. Reads a node only if no node has confirmed the head for `maxAgeMs`, or for the first use after
   * half a minute. @throws `svc/upstream-*`
   */
  get(): Head | Promise<Head>
  /**
   * Returns the newest head from memory; undefined if no node has confirmed it for `maxAgeMs`. This does not count as a
   * use.
   */
  findFresh(): Head | undefined
  /** Returns whether a request has used the chain within half a minute. */
  isInUse(): boolean
  /** Reads the newest head from a node now. Concurrent calls share one read. @throws `svc/upstream-*` */
  refresh(): Promise<Head>
  /**
   * Replaces a head that no node could read, and returns the newest head of another node, although the first node may have
   * announced another head meanwhile. Without another node, reads the newest head again, which may be before the replaced
   * one. @throws `svc/upstream-*`
   */
  replace(head: Head): Promise<Head>
  /**
   * Resolves when the head differs from `seen`, after the time-out, or when `abort` aborts. Without `seen`, resolves at
   * once if a fresh head is published.
   *
   * @returns false if the heads are stopped, otherwise true
   */
  next(timeoutMs: number, seen: Hex | undefined, abort?: AbortSignal): Promise<boolean>
  /** Returns the state of the head from memory. Sends no request. */
  state(): HeadState
  /** Returns whether a block does not follow the known blocks. */
  mayBeOtherChain(head: Head): boolean
  /** Returns whether a block is the newest known block, or an ancestor of it by parent hashes that nodes have returned. */
  isLinked(block: Pick<Head, 'number' | 'hash'>): boolean
  /** Judges the age of a block at a time of the wall clock. */
  judgeAge(block: Pick<Head, 'timestampSeconds'>, wallMs: number): BlockAge
  stop(): void
}

/**
 * Records the uses of a chain. The first use after a pause reads the newest block, since the last poll may be a second old.
 */
function createUse({ now, wake }: { readonly now: () => number; readonly wake: () => Promise<Head> }) {
  let usedAtMs = now()
  let waking: Promise<Head> | undefined
  const isInUse = () => now() - usedAtMs <= inUseForMs
  return {
    isInUse,
    getPollMs: () => (isInUse() ? pollMs.inUse : pollMs.idle),
    /** Records a use. Returns the newest block while the first use after a pause reads it. */
    use(): Promise<Head> | undefined {
      if (!isInUse() && !waking) {
        waking = wake().finally(() => (waking = undefined))
        // `next` does not wait for it.
        waking.catch(ignore)
      }
      usedAtMs = now()
      return waking
    },
  }
}

type ReplaceDependencies = Pick<createHeads.Dependencies, 'read' | 'onUnreadable'> & {
  readonly selector: Pick<HeadSelector, 'state' | 'restore'>
  readonly published: Pick<PublishedHead, 'state'>
  readonly accept: (answer: Head) => Head
}

/**
 * Creates a function that replaces a head that no node could read, by a read that begins afterwards: an earlier one may
 * return the same head. It returns the newest block of another node; undefined if no other node has another block.
 */
function createReplace({ selector, published, read, accept, onUnreadable }: ReplaceDependencies) {
  const replacements = new Map<Hex, Promise<Head | undefined>>()
  async function replace(head: Head): Promise<Head | undefined> {
    const other = await onUnreadable?.(head).catch(ignore)
    const next = other ?? (await readUpTo(head, read))
    if (!next || isSameHead(next, head)) return undefined
    // If the first node has announced another block meanwhile, that block stays the newest one until it is read.
    if (selector.state().head === head) {
      const previous = published.state()
      // An idle chain publishes a head before its data is read.
      selector.restore(previous.head === head ? { head: undefined, confirmedAtMs: -Infinity } : previous)
      accept(next)
    }
    return other
  }
  return (head: Head) => {
    const replacing = replacements.get(head.hash) ?? replace(head).finally(() => replacements.delete(head.hash))
    replacements.set(head.hash, replacing)
    return replacing
  }
}

function ignore(): undefined {}

/**
 * Reads the newest block after a head that no node could read. Returns undefined for a later block, which may not be readable
 * either. The next poll takes it.
 */
async function readUpTo({ number }: Head, read: () => Promise<Head>): Promise<Head | undefined> {
  return await read().then((newest) => (newest.number <= number ? newest : undefined), ignore)
}

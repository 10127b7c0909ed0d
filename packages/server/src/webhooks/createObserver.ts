import { type createApp, maxFollowedMs, observePools, observeTransaction } from '@agio/api'
import type { Chain, Head } from '@agio/chain'
import { Errors } from '@agio/core'
import type { ClaimedTransaction, ObservedHead, WebhookStore } from '@agio/store'
import { repeat } from './repeat.ts'

const intervalMs = 500
const observeEveryMs = 1000
const [minRetryMs, maxRetryMs] = [5000, 600_000]
const leaseMs = 15_000
// All of them are observed at once. Keys take turns from one claim to the next.
const maxInFlight = 8
// Another process may have recorded the state that this process saw last.
const poolMemoryMs = 15_000

/** Observes followed transactions and pools, and records the events of their changes. */
export function createObserver({ chains, webhooks, chargePoll, now, onError }: createObserver.Dependencies): {
  stop(): Promise<void>
} {
  const { observations } = webhooks
  const pools = createPoolObserver({ webhooks, now, onError })
  async function observe(chain: Chain, followed: ClaimedTransaction, head: ObservedHead): Promise<void> {
    try {
      const key = { id: followed.keyId, tier: followed.tier, limits: followed.limits }
      const charge = (count?: number) => chargePoll(key, count)
      const options = { head, nowMs: now(), intervalMs: observeEveryMs, charge }
      await observations.record(followed, await observeTransaction(chain, followed, options))
    } catch (error) {
      const budgetMs = Errors.findRateLimitMs(error)
      if (budgetMs === undefined) onError(error)
      await observations.release(followed, budgetMs ?? findRetryMs(followed))
    }
  }
  /** The blocks since which transactions have not been woken yet. */
  const wokenHeads = new Map<number, Head>()
  /**
   * Makes the transactions of new blocks due, since those that no node had are polled rarely. Reads no block while none
   * of them waits. Returns whether new blocks have transactions.
   */
  async function wakeMined({ chainId, heads, transactions }: Chain): Promise<boolean> {
    const newest = heads.find()
    const since = wokenHeads.get(chainId) ?? newest
    if (!newest || !since || wokenHeads.get(chainId)?.hash === newest.hash) return false
    wokenHeads.set(chainId, newest)
    try {
      const isAwaited = await observations.hasPostponed(chainId)
      const mined = isAwaited ? await transactions.listMined(since.hash) : undefined
      if (!mined || mined.length === 0) return false
      await observations.wake(chainId, mined)
      return true
    } catch (error) {
      wokenHeads.set(chainId, since)
      throw error
    }
  }
  /** Observes the transactions that are due. Returns whether more may be due. */
  async function observeDue(chain: Chain): Promise<boolean> {
    const head = chain.heads.find()
    if (!head) return false
    const { chainId } = chain
    const claimed = await observations.claim({ chainId, head, limit: maxInFlight, leaseMs })
    await Promise.all(claimed.map((followed) => observe(chain, followed, head)))
    // A later block may contain a transaction that was polled before that block, and that has been postponed since.
    const woken = wokenHeads.get(chainId)
    if (claimed.length > 0 && woken && woken.number > head.number) wokenHeads.set(chainId, head)
    await pools.observe(chain, head.hash)
    return claimed.length === maxInFlight
  }
  // Each chain separately: a chain with slow nodes does not delay other chains.
  const loops = chains.flatMap((chain) => {
    const observing = repeat(
      async () => {
        if (webhooks.hasEnabled() && (await observeDue(chain))) observing.wake()
      },
      { intervalMs, onError },
    )
    // The transactions of a new block do not wait for observations at slow nodes.
    const waking = repeat(
      async () => {
        if (webhooks.hasEnabled() && (await wakeMined(chain))) observing.wake()
      },
      { intervalMs, onError },
    )
    return [observing, waking]
  })
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/**
 * Returns when a transaction that could not be observed is observed next. The delay grows with its age. After a week
 * the observation ends.
 */
function findRetryMs({ ageMs }: ClaimedTransaction): number | undefined {
  if (ageMs > maxFollowedMs) return undefined
  return Math.max(minRetryMs, Math.min(maxRetryMs, ageMs / 10))
}

export declare namespace createObserver {
  type Dependencies = {
    readonly chains: readonly Chain[]
    readonly webhooks: Pick<WebhookStore, 'observations' | 'hasEnabled' | 'followsPools'>
    /** Charges a key for an observation. @throws `svc/rate-limited` if the key has used up its budget */
    readonly chargePoll: ReturnType<typeof createApp>['chargePoll']
    /** The wall clock, in milliseconds. */
    readonly now: () => number
    readonly onError: (error: unknown) => void
  }
}

type PoolDependencies = Pick<createObserver.Dependencies, 'webhooks' | 'now' | 'onError'>

/** Records the pools whose state has changed since the last record, at each new block. */
function createPoolObserver({ webhooks, now, onError }: PoolDependencies) {
  const seenHeads = new Map<number, string>()
  const recorded = new Map<string, { readonly state: string; readonly atMs: number }>()
  return {
    async observe(chain: Chain, head: string): Promise<void> {
      const { chainId } = chain
      if (!webhooks.followsPools() || seenHeads.get(chainId) === head) return
      try {
        for (const { toEvent, ...observed } of observePools(await chain.pools.getSnapshot(), chainId)) {
          const key = `${chainId} ${observed.pool}`
          const lastRecorded = recorded.get(key)
          const nowMs = now()
          if (lastRecorded?.state === observed.state && nowMs - lastRecorded.atMs < poolMemoryMs) continue
          await webhooks.observations.recordPool(observed, (from) => toEvent(from, nowMs))
          recorded.set(key, { state: observed.state, atMs: nowMs })
        }
        seenHeads.set(chainId, head)
      } catch (error) {
        onError(error)
      }
    },
  }
}

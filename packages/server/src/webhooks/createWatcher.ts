import { maxFollowedMs, observeMarkets, observeTransaction } from '@agio/api'
import type { Chain } from '@agio/chain'
import type { ClaimedTransaction, ObservedHead, WebhookStore } from '@agio/store'
import { repeat } from './repeat.ts'

const intervalMs = 500
const observeEveryMs = 1000
const [minRetryMs, maxRetryMs] = [5000, 600_000]
const leaseMs = 15_000
const batch = 32
const maxInFlight = 8
// Another process may have recorded the state that this process saw last.
const marketMemoryMs = 15_000

/** Observes followed transactions and markets, and records the events of their changes. */
export function createWatcher({ chains, webhooks, onError }: createWatcher.Parts): { stop(): Promise<void> } {
  const { observations: watches } = webhooks
  let isStopped = false
  const markets = createMarketWatcher({ webhooks, onError })
  async function observe(chain: Chain, watch: ClaimedTransaction, head: ObservedHead): Promise<void> {
    try {
      const options = { head, nowMs: Date.now(), intervalMs: observeEveryMs }
      await watches.record(watch, await observeTransaction(chain, watch, options))
    } catch (error) {
      onError(error)
      await watches.release(watch, findRetryMs(watch))
    }
  }
  async function observeChain(chain: Chain): Promise<boolean> {
    const head = chain.heads.find()
    if (!head) return false
    const claimed = await watches.claim({ chainId: chain.chainId, head, limit: batch, leaseMs })
    const next = claimed.values()
    const work = async () => {
      for (const watch of next) await (isStopped ? watches.release(watch, 0) : observe(chain, watch, head))
    }
    await Promise.all(Array.from({ length: maxInFlight }, work))
    await markets.observe(chain, head.hash)
    return claimed.length === batch
  }
  // Each chain separately: a chain with slow nodes does not delay other chains.
  const loops = chains.map((chain) => {
    const loop = repeat(
      async () => {
        if (webhooks.isUsed() && (await observeChain(chain))) loop.wake()
      },
      { intervalMs, onError },
    )
    return loop
  })
  return {
    async stop() {
      isStopped = true
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

export declare namespace createWatcher {
  type Parts = {
    readonly chains: readonly Chain[]
    readonly webhooks: Pick<WebhookStore, 'observations' | 'isUsed' | 'followsMarkets'>
    readonly onError: (error: unknown) => void
  }
}

type MarketParts = Pick<createWatcher.Parts, 'webhooks' | 'onError'>

/** Records the markets whose state has changed since the last record, at each new block. */
function createMarketWatcher({ webhooks, onError }: MarketParts) {
  const seenHeads = new Map<number, string>()
  const recorded = new Map<string, { readonly state: string; readonly atMs: number }>()
  return {
    async observe(chain: Chain, head: string): Promise<void> {
      const { chainId } = chain
      if (!webhooks.followsMarkets() || seenHeads.get(chainId) === head) return
      try {
        for (const { toEvent, ...observed } of observeMarkets(await chain.pools.getSnapshot(), chainId)) {
          const key = `${chainId} ${observed.pool}`
          const known = recorded.get(key)
          const nowMs = Date.now()
          if (known?.state === observed.state && nowMs - known.atMs < marketMemoryMs) continue
          await webhooks.observations.recordMarket(observed, (from) => toEvent(from, nowMs))
          recorded.set(key, { state: observed.state, atMs: nowMs })
        }
        seenHeads.set(chainId, head)
      } catch (error) {
        onError(error)
      }
    },
  }
}

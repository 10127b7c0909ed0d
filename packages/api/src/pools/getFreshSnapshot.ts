import type { Chain, Snapshot } from '@agio/chain'
import { Errors } from '@agio/core'

/**
 * Returns the pools at the newest block, for amounts that a transaction will use.
 *
 * @throws `svc/upstream-unavailable` if the block is old, since the node lags and its prices are outdated
 */
export function getFreshSnapshot(chain: Chain, nowMs: number): Snapshot | Promise<Snapshot> {
  const snapshot = chain.pools.getSnapshot()
  // The snapshot of the newest block is nearly always in memory.
  if (snapshot instanceof Promise) return snapshot.then((read) => assertFresh(read, chain, nowMs))
  return assertFresh(snapshot, chain, nowMs)
}

function assertFresh(snapshot: Snapshot, chain: Chain, nowMs: number): Snapshot {
  if (chain.heads.judgeAge(snapshot.block, nowMs) !== 'old') return snapshot
  const lagSeconds = Math.floor(nowMs / 1000) - Number(snapshot.block.timestampSeconds)
  const reason = `the newest block of chain ${chain.chainId} is ${lagSeconds} s old`
  throw Errors.upstreamUnavailable({ action: 'use the pools', reason })
}

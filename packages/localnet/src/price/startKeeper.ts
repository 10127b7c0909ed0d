import type { Network } from '@agio/core'
import type { LocalChain } from '../chain/LocalChain.ts'
import { pushPrices } from './pushPrices.ts'

/**
 * Pushes the prices of chains at an interval until it is stopped. Skips a chain while its last push is in progress. The
 * timer does not keep the process alive.
 */
export function startKeeper(chains: readonly LocalChain[], { intervalMs, onFailure }: startKeeper.Settings): Keeper {
  const pushes = new Map<Network.ChainId, Promise<void>>()
  const pauses = new Map<symbol, Network.ChainId>()
  let due = Date.now() + intervalMs
  const tick = () => {
    if (Date.now() < due) return
    due = Date.now() + intervalMs
    const paused = new Set(pauses.values())
    for (const chain of chains) {
      const { chainId } = chain
      if (paused.has(chainId) || pushes.has(chainId)) continue
      const push = pushPrices(chain)
        .catch(onFailure)
        .finally(() => pushes.delete(chainId))
      pushes.set(chainId, push)
    }
  }
  // Timers pause while the machine sleeps, but the chains' clock does not. So the keeper checks the wall clock often.
  const timer = setInterval(tick, Math.min(intervalMs, 10_000)).unref()
  return {
    async pause(chainId) {
      const pause = Symbol('pause')
      pauses.set(pause, chainId)
      await pushes.get(chainId)
      return () => void pauses.delete(pause)
    },
    stop: () => clearInterval(timer),
  }
}

export declare namespace startKeeper {
  type Settings = { readonly intervalMs: number; readonly onFailure: (error: unknown) => void }
}

export type Keeper = {
  /**
   * Stops pushing the prices of a chain after a push in progress has finished.
   *
   * @returns a function that ends the pause. Several pauses must all end
   */
  pause(chainId: Network.ChainId): Promise<() => void>
  stop(): void
}

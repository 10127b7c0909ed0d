import type { LocalChain } from '../LocalChain.ts'
import { pushPrices } from './pushPrices.ts'

/** Keeps the prices of some chains fresh for as long as the process lives, without keeping it alive. */
export function startKeeper(chains: readonly LocalChain[], { intervalMs, onFailure }: startKeeper.Settings): Keeper {
  let due = Date.now() + intervalMs
  const tick = () => {
    if (Date.now() < due) return
    due = Date.now() + intervalMs
    for (const chain of chains) pushPrices(chain).catch(onFailure)
  }
  // A timer stands still while the machine sleeps, the chains' clock does not: look at the wall clock often.
  const timer = setInterval(tick, Math.min(intervalMs, 10_000)).unref()
  return { stop: () => clearInterval(timer) }
}

export declare namespace startKeeper {
  type Settings = { readonly intervalMs: number; readonly onFailure: (error: unknown) => void }
}

export type Keeper = { stop(): void }

import type { App } from '@agio/api'
import { Errors, Market, Pool, type Clock } from '@agio/core'
import type { Limiter, Store } from '@agio/store'
import type { Settings } from '../settings/Settings.ts'
import type { RunningWebhooks } from '../webhooks/startWebhooks.ts'
import type { Chains } from './createChains.ts'

/** Creates the functions by which a local stack moves the time of its service, and takes snapshots of it. */
export function createLocalControls(dependencies: createLocalControls.Dependencies): LocalControls {
  const { limiter, chains, clock, webhooks, endStreams } = dependencies
  return {
    now: clock.now,
    async moveTime(aheadMs) {
      const { moveTime } = getLocalStore(dependencies, 'travel in time')
      await moveTime(aheadMs, () => clock.moveAhead(aheadMs))
    },
    aheadMs: clock.aheadMs,
    async findMarketChange(change) {
      const snapshots = await Promise.all(Object.values(chains).map(async (chain) => await chain.pools.getSnapshot()))
      const schedules = snapshots.flatMap(({ pools }) => Pool.listSchedules(pools))
      const nowSeconds = Math.floor(clock.now() / 1000)
      const times = schedules.flatMap((schedule) => {
        const { nextOpen, nextClose } = Market.hoursOf(schedule, nowSeconds)
        return (change === 'open' ? nextOpen : nextClose) ?? []
      })
      return times.length === 0 ? undefined : Math.min(...times) * 1000
    },
    async takeSnapshot() {
      const rows = await getLocalStore(dependencies, 'take a snapshot').takeSnapshot()
      const restoreCounts = limiter.saveCounts?.()
      return {
        async restore(restoreChains) {
          // A delivery or an observation in progress would write its outcome into the restored rows.
          const resume = await webhooks.pause()
          try {
            await restoreChains()
            await rows.restore()
            restoreCounts?.()
            for (const chain of Object.values(chains)) chain.forgetTokens()
          } finally {
            resume()
          }
          endStreams()
        },
        discard: rows.discard,
      }
    },
  }
}

export declare namespace createLocalControls {
  type Dependencies = Owned & {
    readonly limiter: Limiter
    readonly chains: Chains
    readonly clock: Clock.MovableClock
    readonly webhooks: RunningWebhooks
    /** Ends the open streams, so that their clients reconnect. */
    readonly endStreams: App['endStreams']
  }
}

type Owned = {
  readonly store: Store
  /** Whether the caller has opened the store, which other services may use. */
  readonly isStoreProvided: boolean
  readonly settings: Pick<Settings, 'databaseUrl' | 'redisUrl'>
}

/** Moves the time of a service, and takes snapshots of it. */
export type LocalControls = {
  /** Returns the time of the service, in milliseconds. */
  now(): number
  /** Returns how far the time of the service is ahead of the system's clock, in milliseconds. */
  aheadMs(): number
  /**
   * Moves the time of the service ahead of the system's clock, for everything that callers see.
   *
   * @throws `svc/invalid-request` if other processes share the database or the limits
   */
  moveTime(aheadMs: number): Promise<void>
  /**
   * Returns the next time at which any market opens or closes, in milliseconds; undefined if none does within a year.
   *
   * @throws `svc/upstream-*`
   */
  findMarketChange(change: 'open' | 'close'): Promise<number | undefined>
  /**
   * Takes a snapshot of the rows and the limits of the service.
   *
   * @throws `svc/invalid-request` if other processes share the database or the limits
   */
  takeSnapshot(): Promise<ServiceSnapshot>
}

/** A snapshot of a service, until it is discarded. */
type ServiceSnapshot = {
  /**
   * Returns the service to the snapshot, and ends the open streams with `reconnect`. It may be called any number of
   * times.
   *
   * @param restoreChains returns the chains to the snapshot, while the service sends and observes nothing by itself
   */
  restore(restoreChains: () => Promise<void>): Promise<void>
  discard(): Promise<void>
}

/** @throws `svc/invalid-request` that says why other processes would notice */
function getLocalStore({ store, isStoreProvided, settings }: Owned, action: string) {
  const refuse = (reason: string) => Errors.invalidRequest({ field: 'service', action, reason })
  if (settings.databaseUrl !== undefined)
    throw refuse('other processes may share the PostgreSQL database. Start the service without DATABASE_URL')
  if (settings.redisUrl !== undefined)
    throw refuse('other processes may share the Redis server. Start the service without REDIS_URL')
  if (isStoreProvided || !store.local) throw refuse('other services may share its database. Give it its own database')
  return store.local
}

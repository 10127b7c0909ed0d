import type { Address } from '@agio/core'

const recheckMs = 5000

/** Holds the pools of the deployment that cannot be read, and reads them every five seconds until they are readable. */
export function createUnreadablePools({ recheck, onPool }: createUnreadablePools.Dependencies) {
  const flaws = new Map<Address, string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false

  function schedule(): void {
    if (flaws.size > 0 && !isStopped) timer ??= setTimeout(() => void recheckAll(), recheckMs)
  }
  async function recheckAll(): Promise<void> {
    // If no node answers, the state of the pools is unknown.
    await recheck([...flaws.keys()]).catch(() => {})
    timer = undefined
    schedule()
  }
  return {
    has: (pool: Address) => flaws.has(pool),
    /** Returns the unreadable pools, in the order in which they were found. */
    list: () => [...flaws.keys()],
    /** Records the outcome of a read: the reason why the pool cannot be read, or undefined if it can be read. */
    record(pool: Address, flaw: string | undefined): void {
      if (flaw === undefined && flaws.delete(pool)) onPool?.({ pool, state: 'readable' })
      if (flaw === undefined || flaws.has(pool)) return
      flaws.set(pool, flaw)
      onPool?.({ pool, state: 'unreadable', flaw })
      schedule()
    },
    /** Stops the reads. */
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

export declare namespace createUnreadablePools {
  type Dependencies = {
    /** Reads pools at the newest block, and records the outcome of each read. */
    readonly recheck: (pools: readonly Address[]) => Promise<void>
    /** Called when a pool becomes unreadable or readable. */
    readonly onPool?: ((report: PoolReport) => void) | undefined
  }
}

/** A change of a pool of the deployment. */
export type PoolReport = {
  readonly pool: Address
  /**
   * A `repeated` pool is listed twice in the deployment, and is served once. The views of a `disproven` pool differ from
   * the curve that the pool returns. These views price the pool until the process ends.
   */
  readonly state: 'unreadable' | 'readable' | 'repeated' | 'disproven'
  /** Why the pool cannot be read. */
  readonly flaw?: string | undefined
}

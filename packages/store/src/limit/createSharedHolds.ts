import type { CountingStore } from './CountingStore.ts'
import { createMemoryHolds } from './createMemoryLimiter.ts'
import type { Limiter } from './Limiter.ts'
import { toShare } from './createOutageAdmission.ts'
import { withTimeout } from '../response/withTimeout.ts'

// A killed process releases nothing: its members count until they expire.
const ttlMs = 30_000
const renewMs = 10_000

/**
 * Counts the places that subjects hold in all processes of a store. While the store is unavailable, each process grants
 * its share.
 */
export function createSharedHolds({ store, isAvailable, ...dependencies }: Dependencies): SharedHolds {
  const holdInMemory = createMemoryHolds()
  const held = new Map<string, string>()
  let members = 0
  let timer: ReturnType<typeof setInterval> | undefined

  function startRenewing(member: string, subject: string): void {
    held.set(member, subject)
    timer ??= setInterval(renew, renewMs)
  }
  function renew(): void {
    for (const [member, subject] of held) {
      void store.hold({ subject, member, limit: undefined, ttlMs }).catch(() => {})
    }
  }
  // The store ignores an unknown member, so a member may be released twice.
  function release(member: string, subject: string): void {
    held.delete(member)
    void store.release({ subject, member }).catch(() => {})
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  async function holdInStore(subject: string, member: string, limit: number): Promise<boolean | 'unavailable'> {
    if (!isAvailable()) return 'unavailable'
    try {
      return await withTimeout(store.hold({ subject, member, limit, ttlMs }), dependencies.responseTimeoutMs)
    } catch (error) {
      dependencies.onError(error)
      return 'unavailable'
    }
  }
  return {
    async hold(subject, limit) {
      if (limit === Infinity) return () => {}
      members += 1
      const member = String(members)
      const granted = await holdInStore(subject, member, limit)
      if (granted === false) return undefined
      // The store has granted the place: the count of this process matters only during outages.
      const memoryLimit = granted === true ? Infinity : toShare(limit, 0, dependencies.countProcesses())
      const releaseInMemory = await holdInMemory(subject, memoryLimit)
      if (!releaseInMemory) return undefined
      startRenewing(member, subject)
      return () => {
        releaseInMemory()
        release(member, subject)
      }
    },
    stop: () => clearInterval(timer),
  }
}

type Dependencies = {
  readonly store: Pick<CountingStore, 'hold' | 'release'>
  readonly isAvailable: () => boolean
  /** Called with each failure of the store. */
  readonly onError: (error: unknown) => void
  readonly countProcesses: () => number
  readonly responseTimeoutMs: number
}

type SharedHolds = Pick<Limiter, 'hold'> & { stop(): void }

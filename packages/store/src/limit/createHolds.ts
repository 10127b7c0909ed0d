import type { HoldingStore } from './CountingStore.ts'
import { toShare } from './toShare.ts'
import { withTimeout } from './withTimeout.ts'

// A process that is killed releases nothing: what it held counts until then.
const ttlMs = 30_000
const renewMs = 10_000

/** Counts what subjects hold in this process. */
export function createMemoryHolds(): Holds {
  const counts = new Map<string, number>()
  return {
    async hold(subject, limit) {
      const count = counts.get(subject) ?? 0
      if (count >= limit) return undefined
      counts.set(subject, count + 1)
      return once(() => {
        const left = (counts.get(subject) ?? 1) - 1
        if (left > 0) counts.set(subject, left)
        else counts.delete(subject)
      })
    },
    stop() {},
  }
}

/** Counts what subjects hold in all processes of a store. While it is unavailable, each process grants its share. */
export function createSharedHolds({ store, isAvailable, ...settings }: createSharedHolds.Settings): Holds {
  const memory = createMemoryHolds()
  const held = new Map<number, string>()
  let members = 0
  let timer: ReturnType<typeof setInterval> | undefined

  function keep(member: number, subject: string): void {
    held.set(member, subject)
    timer ??= setInterval(renew, renewMs)
  }
  function renew(): void {
    for (const [member, subject] of held) {
      void store.hold({ subject, member: String(member), limit: undefined, ttlMs }).catch(() => {})
    }
  }
  function drop(member: number): void {
    held.delete(member)
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  async function holdInStore(subject: string, member: number, limit: number): Promise<boolean | 'unavailable'> {
    if (!isAvailable() || limit === Infinity) return 'unavailable'
    try {
      return await withTimeout(
        store.hold({ subject, member: String(member), limit, ttlMs }),
        settings.responseTimeoutMs,
      )
    } catch (error) {
      settings.onError(error)
      return 'unavailable'
    }
  }
  return {
    async hold(subject, limit) {
      members += 1
      const member = members
      const granted = await holdInStore(subject, member, limit)
      if (granted === false) return undefined
      // The store has granted it: what this process counts is for outages alone.
      const ownLimit = granted === true ? Infinity : toShare(limit, 0, settings.countProcesses())
      const release = await memory.hold(subject, ownLimit)
      if (!release) return undefined
      if (limit !== Infinity) keep(member, subject)
      return once(() => {
        release()
        if (limit === Infinity) return
        drop(member)
        void store.release({ subject, member: String(member) }).catch(() => {})
      })
    },
    stop: () => clearInterval(timer),
  }
}

export declare namespace createSharedHolds {
  type Settings = {
    readonly store: HoldingStore
    readonly isAvailable: () => boolean
    /** Called with each failure of the store. */
    readonly onError: (error: unknown) => void
    readonly countProcesses: () => number
    readonly responseTimeoutMs: number
  }
}

export type Holds = {
  /**
   * Holds something for a subject that may hold so many at a time.
   *
   * @returns a function that releases it; undefined if the subject holds as many as it may
   */
  hold(subject: string, limit: number): Promise<(() => void) | undefined>
  stop(): void
}

function once(call: () => void): () => void {
  let isCalled = false
  return () => {
    if (isCalled) return
    isCalled = true
    call()
  }
}

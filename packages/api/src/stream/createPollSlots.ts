// Enough for all topics of one stream at once.
const burst = 20
const intervalMs = 500
// A poll sends about four requests.
const readMs = intervalMs / 4

/**
 * Creates the slots of the polls of transactions and of the reads for quotes: each key has twenty of them at once, and
 * then two per second. So many topics of one key do not send many requests to the nodes together. Four further reads of a poll
 * take as long as another poll.
 */
export function createPollSlots({ now = () => performance.now() }: Options = {}) {
  const keys = new Map<string, KeySlots>()

  /** Returns how long the next poll of a key has to wait. */
  const waitMs = ({ usedUntilMs }: KeySlots) => Math.max(0, usedUntilMs - now() - (burst - 1) * intervalMs)
  function use(slots: KeySlots, ms: number): void {
    slots.usedUntilMs = Math.max(slots.usedUntilMs, now()) + ms
  }
  function serve(keyId: string, slots: KeySlots): void {
    for (const start of slots.waiting) {
      if (waitMs(slots) > 0) break
      slots.waiting.delete(start)
      use(slots, intervalMs)
      start()
    }
    // A key that waits for nothing is forgotten once all its polls are free again.
    if (slots.waiting.size === 0 && slots.usedUntilMs <= now()) keys.delete(keyId)
    else setTimeout(() => serve(keyId, slots), Math.max(intervalMs, waitMs(slots))).unref()
  }
  function open(keyId: string): KeySlots {
    const slots: KeySlots = { usedUntilMs: 0, waiting: new Set() }
    keys.set(keyId, slots)
    setTimeout(() => serve(keyId, slots), intervalMs).unref()
    return slots
  }
  return {
    /** Resolves when a key may poll, or when the signal aborts. The polls of a key start in the order of their calls. */
    async take(keyId: string, signal?: AbortSignal): Promise<void> {
      // An aborted signal sends no further event.
      if (signal?.aborted) return
      const slots = keys.get(keyId) ?? open(keyId)
      if (slots.waiting.size === 0 && waitMs(slots) === 0) {
        use(slots, intervalMs)
        return
      }
      const { promise: started, resolve: start } = Promise.withResolvers<void>()
      slots.waiting.add(start)
      const leave = () => slots.waiting.delete(start) && start()
      signal?.addEventListener('abort', leave, { once: true })
      await started
      signal?.removeEventListener('abort', leave)
    },
    /** Counts a further read of a poll, which delays the next polls of the key. */
    countRead: (keyId: string) => use(keys.get(keyId) ?? open(keyId), readMs),
  }
}

type Options = {
  /** The monotonic clock, in milliseconds. */
  readonly now?: (() => number) | undefined
}

/** The slots of the polls of transactions. */
export type PollSlots = ReturnType<typeof createPollSlots>

type KeySlots = {
  /** The time from which all polls of the key are free. */
  usedUntilMs: number
  /** The starts of the polls that wait. */
  readonly waiting: Set<() => void>
}

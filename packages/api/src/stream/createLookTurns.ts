// Enough for all topics of one stream at once.
const burst = 20
const intervalMs = 500
// A look sends about four requests.
const readMs = intervalMs / 4

/**
 * Creates the turns of the looks for transactions and of the reads for quotes: each key has twenty of them at once, and
 * then two per second. So many topics of one key do not send many requests to the nodes together. Four further reads of a look
 * take as long as another look.
 */
export function createLookTurns({ now = () => performance.now() }: createLookTurns.Options = {}): LookTurns {
  const keys = new Map<string, KeyTurns>()

  /** Returns how long the next look of a key has to wait. */
  const waitMs = ({ usedUntilMs }: KeyTurns) => Math.max(0, usedUntilMs - now() - (burst - 1) * intervalMs)
  function use(turns: KeyTurns, ms: number): void {
    turns.usedUntilMs = Math.max(turns.usedUntilMs, now()) + ms
  }
  function serve(keyId: string, turns: KeyTurns): void {
    for (const start of turns.waiting) {
      if (waitMs(turns) > 0) break
      turns.waiting.delete(start)
      use(turns, intervalMs)
      start()
    }
    // A key that waits for nothing is forgotten once all its looks are free again.
    if (turns.waiting.size === 0 && turns.usedUntilMs <= now()) keys.delete(keyId)
    else setTimeout(() => serve(keyId, turns), Math.max(intervalMs, waitMs(turns))).unref()
  }
  function open(keyId: string): KeyTurns {
    const turns: KeyTurns = { usedUntilMs: 0, waiting: new Set() }
    keys.set(keyId, turns)
    setTimeout(() => serve(keyId, turns), intervalMs).unref()
    return turns
  }
  return {
    async take(keyId, signal) {
      // An aborted signal sends no further event.
      if (signal?.aborted) return
      const turns = keys.get(keyId) ?? open(keyId)
      if (turns.waiting.size === 0 && waitMs(turns) === 0) {
        use(turns, intervalMs)
        return
      }
      const { promise: started, resolve: start } = Promise.withResolvers<void>()
      turns.waiting.add(start)
      const leave = () => turns.waiting.delete(start) && start()
      signal?.addEventListener('abort', leave, { once: true })
      await started
      signal?.removeEventListener('abort', leave)
    },
    countRead: (keyId) => use(keys.get(keyId) ?? open(keyId), readMs),
  }
}

export declare namespace createLookTurns {
  type Options = {
    /** The monotonic clock, in milliseconds. */
    readonly now?: (() => number) | undefined
  }
}

/** The turns of the looks for transactions. */
export type LookTurns = {
  /** Resolves when a key may look, or when the signal aborts. The looks of a key start in the order of their calls. */
  take(keyId: string, signal?: AbortSignal): Promise<void>
  /** Counts a further read of a look, which delays the next looks of the key. */
  countRead(keyId: string): void
}

type KeyTurns = {
  /** The time from which all looks of the key are free. */
  usedUntilMs: number
  /** The starts of the looks that wait. */
  readonly waiting: Set<() => void>
}

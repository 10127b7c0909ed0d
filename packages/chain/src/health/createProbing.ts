/**
 * Asks a node in the background whether it is well, again and again: soon at first, then after waits that double, each
 * shortened by up to a quarter so that many services do not ask at once. Waits count from the beginning of the last
 * probe, so that one that hangs does not put off the next.
 */
export function createProbing({ probe, random }: createProbing.Settings): Probing {
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: object | undefined

  function schedule(pace: Pace, waitMs: number, probedAtMs = performance.now()): void {
    const jitteredMs = waitMs * (1 - random() / 4)
    timer = setTimeout(() => void run(pace, waitMs), Math.max(0, probedAtMs + jitteredMs - performance.now()))
  }
  async function run(pace: Pace, waitMs: number): Promise<void> {
    const own = current
    const startedAtMs = performance.now()
    await probe()
    if (current === own) schedule(pace, Math.min(waitMs * 2, pace.lastMs), startedAtMs)
  }
  function stop(): void {
    current = undefined
    clearTimeout(timer)
  }
  return {
    start(pace) {
      stop()
      current = {}
      schedule(pace, pace.firstMs)
    },
    stop,
  }
}

export declare namespace createProbing {
  type Settings = {
    /** Probes once. Never rejects; whoever is content with what it finds stops the probing. */
    readonly probe: () => Promise<void>
    /** From 0 to 1. */
    readonly random: () => number
  }
}

/** How long the first wait is at most, and how long it gets. */
type Pace = { readonly firstMs: number; readonly lastMs: number }

export type Probing = {
  /** Begins anew. */
  start(pace: Pace): void
  stop(): void
}

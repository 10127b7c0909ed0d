/**
 * Probes a node in the background until stopped, with exponential backoff. Each delay is twice the last one, minus up
 * to a quarter at random, so that many services do not probe at once. Delays count from the start of the last probe, so
 * that a probe that hangs does not postpone the next one.
 */
export function createProbing({ probe, random }: createProbing.Dependencies): Probing {
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: object | undefined

  function schedule(backoff: Backoff, delayMs: number, probedAtMs = performance.now()): void {
    const jitteredMs = delayMs * (1 - random() / 4)
    timer = setTimeout(() => void run(backoff, delayMs), Math.max(0, probedAtMs + jitteredMs - performance.now()))
  }
  async function run(backoff: Backoff, delayMs: number): Promise<void> {
    const started = current
    const startedAtMs = performance.now()
    await probe()
    if (current === started) schedule(backoff, Math.min(delayMs * 2, backoff.maxMs), startedAtMs)
  }
  function stop(): void {
    current = undefined
    clearTimeout(timer)
  }
  return {
    start(backoff) {
      stop()
      current = {}
      schedule(backoff, backoff.firstMs)
    },
    stop,
  }
}

export declare namespace createProbing {
  type Dependencies = {
    /** Probes once, and stops the probing if its result is conclusive. Never rejects. */
    readonly probe: () => Promise<void>
    /** Returns a random number from 0 to 1. */
    readonly random: () => number
  }
}

/** The first and the longest delay. */
type Backoff = { readonly firstMs: number; readonly maxMs: number }

/** Probes a node in the background until stopped. */
export type Probing = {
  /** Starts again with the first delay. */
  start(backoff: Backoff): void
  stop(): void
}

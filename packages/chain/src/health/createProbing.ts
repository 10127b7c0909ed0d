// A node that fails again within this time has not recovered.
const relapseWithinMs = 30_000

/**
 * Probes a node in the background until stopped, with exponential backoff. Each delay is twice the last one, minus up
 * to a quarter at random, so that many services do not probe at once. Delays count from the start of the last probe, so
 * that a probe that hangs does not postpone the next one.
 *
 * A start within half a minute of the last stop continues with the next delay, if another node can be used. Otherwise a node
 * that answers its probes and fails at each request would be in use after each first delay. Without another node, a longer
 * delay would only refuse more requests.
 */
export function createProbing({ probe, hasSubstitute, random }: createProbing.Dependencies) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: object | undefined
  let nextDelayMs = 0
  let stoppedAtMs = -Infinity

  function schedule(backoff: Backoff, probedAtMs = performance.now()): void {
    const delayMs = Math.min(Math.max(nextDelayMs, backoff.firstMs), backoff.maxMs)
    nextDelayMs = delayMs * 2
    const jitteredMs = delayMs * (1 - random() / 4)
    timer = setTimeout(() => void run(backoff), Math.max(0, probedAtMs + jitteredMs - performance.now()))
  }
  async function run(backoff: Backoff): Promise<void> {
    const started = current
    const startedAtMs = performance.now()
    await probe()
    if (current === started) schedule(backoff, startedAtMs)
  }
  function stop(): void {
    if (current) stoppedAtMs = performance.now()
    current = undefined
    clearTimeout(timer)
  }
  return {
    /**
     * Starts with the first delay, or with the next one if the last probing stopped less than half a minute ago and another
     * node can be used.
     */
    start(backoff: Backoff): void {
      stop()
      if (!hasSubstitute() || performance.now() - stoppedAtMs > relapseWithinMs) nextDelayMs = 0
      current = {}
      schedule(backoff)
    },
    stop,
    /** Stops, and lets the next start begin with the first delay. */
    reset(): void {
      stop()
      stoppedAtMs = -Infinity
    },
  }
}

export declare namespace createProbing {
  type Dependencies = {
    /** Probes once, and stops the probing if its result is conclusive. Never rejects. */
    readonly probe: () => Promise<void>
    /** Returns whether another node can be used instead. */
    readonly hasSubstitute: () => boolean
    readonly random: () => number
  }
}

/** The first and the longest delay. */
type Backoff = { readonly firstMs: number; readonly maxMs: number }

/** Probes a node in the background until stopped. */
export type Probing = ReturnType<typeof createProbing>

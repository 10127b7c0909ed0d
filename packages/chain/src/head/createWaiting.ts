/** Lets any number of callers wait for the same event. */
export function createWaiting(): Waiting {
  let waiting: (() => void)[] = []
  return {
    wait(timeoutMs) {
      return new Promise((resolve) => {
        const timeout = setTimeout(resolve, timeoutMs)
        waiting.push(() => {
          clearTimeout(timeout)
          resolve()
        })
      })
    },
    wake() {
      const woken = waiting
      waiting = []
      for (const resolve of woken) resolve()
    },
  }
}

export type Waiting = {
  /** Resolves at the event, or after the time-out. */
  wait(timeoutMs: number): Promise<void>
  /** Tells all who wait that it has happened. */
  wake(): void
}

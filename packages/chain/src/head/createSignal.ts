/** Creates an event that any number of callers can wait for. */
export function createSignal(): Signal {
  let listeners: (() => void)[] = []
  return {
    wait(timeoutMs) {
      return new Promise((resolve) => {
        const timeout = setTimeout(resolve, timeoutMs)
        listeners.push(() => {
          clearTimeout(timeout)
          resolve()
        })
      })
    },
    notify() {
      const notified = listeners
      listeners = []
      for (const resolve of notified) resolve()
    },
  }
}

export type Signal = {
  /** Resolves at the next event, or after the time-out. */
  wait(timeoutMs: number): Promise<void>
  /** Resolves every pending `wait`. */
  notify(): void
}

/**
 * Repeats work, one run after another, with a pause between runs.
 *
 * @param onError receives the error of a failed run. The next run follows regardless
 */
export function repeat(work: () => Promise<void>, { intervalMs, onError }: repeat.Options): Repeated {
  let isStopped = false
  let isWoken = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> = Promise.resolve()
  async function run(): Promise<void> {
    timer = undefined
    isWoken = false
    await work().catch(onError)
    if (!isStopped) schedule(isWoken ? 0 : intervalMs)
  }
  function schedule(delayMs: number): void {
    timer = setTimeout(() => (running = run()), delayMs)
  }
  schedule(0)
  return {
    wake() {
      isWoken = true
      if (isStopped || timer === undefined) return
      clearTimeout(timer)
      schedule(0)
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      timer = undefined
      await running
    },
  }
}

export declare namespace repeat {
  type Options = { readonly intervalMs: number; readonly onError: (error: unknown) => void }
}

/** Work that repeats until it is stopped. */
export type Repeated = {
  /** Runs the work at once, or again after the current run. */
  wake(): void
  /** Resolves after the last run. */
  stop(): Promise<void>
}

/**
 * Repeats work, one run after another, with a pause between runs.
 *
 * @param onError receives the error of a failed run. The next run follows regardless
 */
export function repeat(work: () => Promise<void>, { intervalMs, onError }: repeat.Options) {
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
    /** Runs the work at once, or again after the current run. */
    wake(): void {
      isWoken = true
      if (isStopped || timer === undefined) return
      clearTimeout(timer)
      schedule(0)
    },
    /** Resolves after the last run. */
    async stop(): Promise<void> {
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

import { ignoreOutputErrors, parseArguments, stopOnSignal, wantsHelp } from '@agio/server/cli'

// Requests in flight may take as long as the slowest node.
const stopLimitMs = 30_000

/**
 * Runs a command until a signal stops it, and prints its summary when it is ready. Prints its usage for `--help`.
 *
 * @param start returns the summary, and adds to `running` what a signal stops
 */
export async function runUntilStopped(usage: string, start: Start): Promise<void> {
  const args = parseArguments()
  if (wantsHelp(args)) return console.log(usage)
  ignoreOutputErrors()
  const running = new AsyncDisposableStack()
  const stop = async () => {
    console.log('Stopping')
    await running.disposeAsync()
  }
  const signal = stopOnSignal(stop, stopLimitMs)
  try {
    const { summary, readiness = 'ready' } = await start(args, running)
    console.log(`\n${summary}\n`)
    console.log(`${readiness} after ${(performance.now() / 1000).toFixed(1)} s (Ctrl-C stops it)`)
  } catch (error) {
    // A start that is stopped half-way fails. The process exits when every part is stopped.
    if (signal.aborted) return
    console.error(error instanceof Error ? error.message : error)
    await running.disposeAsync()
    process.exit(1)
  }
}

type Start = (args: readonly string[], running: AsyncDisposableStack) => Promise<Started>

type Started = {
  readonly summary: string
  /** The start of the last line. Default: `ready`. */
  readonly readiness?: string
}

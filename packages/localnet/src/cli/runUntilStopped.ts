import { readArguments, wantsHelp } from '@agio/server/cli'

/**
 * Runs a command until a signal stops it, and prints its summary once it is ready; prints its usage for `--help`.
 *
 * @param start returns the summary, and leaves in `running` what a signal stops
 */
export async function runUntilStopped(usage: string, start: Start): Promise<void> {
  const args = readArguments()
  if (wantsHelp(args)) return console.log(usage)
  const running = new AsyncDisposableStack()
  const isStopping = stopOnSignal(() => running.disposeAsync())
  try {
    const { summary, readiness = 'ready' } = await start(args, running)
    console.log(`\n${summary}\n`)
    console.log(`${readiness} after ${(performance.now() / 1000).toFixed(1)} s (Ctrl-C stops it)`)
  } catch (error) {
    // A start that is stopped half-way fails by that, and the process exits once all is stopped.
    if (isStopping()) return
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

/** Stops on SIGINT and SIGTERM and exits; a second signal exits at once. @returns whether a signal has come */
function stopOnSignal(stop: () => Promise<void>): () => boolean {
  let stoppingSinceMs: number | undefined
  const onSignal = () => {
    if (stoppingSinceMs === undefined) {
      stoppingSinceMs = Date.now()
      console.log('Stopping')
      void exitAfter(stop())
    } else if (Date.now() - stoppingSinceMs > 1000) {
      // Within the first second it is the same Ctrl-C: both the terminal and pnpm send it.
      process.exit(130)
    }
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  return () => stoppingSinceMs !== undefined
}

async function exitAfter(stopped: Promise<void>): Promise<void> {
  try {
    await stopped
    process.exit(0)
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
}

import { stopOnSignal } from './stopOnSignal.ts'

/**
 * Runs what a command starts until a signal stops it, and says when it is ready.
 *
 * @param start gives back what to show, and leaves in `running` what is to be stopped
 */
export async function runCommand(start: (running: AsyncDisposableStack) => Promise<string>): Promise<void> {
  const running = new AsyncDisposableStack()
  stopOnSignal(() => running.disposeAsync())
  try {
    const summary = await start(running)
    console.log(`\n${summary}\n`)
    console.log(`ready after ${(performance.now() / 1000).toFixed(1)} s (Ctrl-C stops it)`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    await running.disposeAsync()
    process.exit(1)
  }
}

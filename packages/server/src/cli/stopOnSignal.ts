import { constants } from 'node:os'
import process from 'node:process'

type Signal = 'SIGINT' | 'SIGTERM'

// A second signal within this time belongs to the same Ctrl-C: the terminal and pnpm both send it.
const sameSignalMs = 1000

/**
 * Stops this process at the first SIGINT or SIGTERM, and exits with code 0. The exit code is 1 if the stop fails or
 * takes longer than the limit. A second signal exits at once.
 *
 * @param stop stops the running service
 * @param limitMs how long the stop may take
 * @returns a signal that is aborted once the stop begins
 */
export function stopOnSignal(stop: () => Promise<void>, limitMs: number): AbortSignal {
  const stopping = new AbortController()
  let first: { readonly name: Signal; readonly atMs: number } | undefined
  const onSignal = (name: Signal) => {
    if (!first) {
      first = { name, atMs: performance.now() }
      stopping.abort()
      void exitAfter(stop, limitMs)
    } else if (name === 'SIGTERM' || first.name === 'SIGTERM' || performance.now() - first.atMs > sameSignalMs) {
      process.exit(128 + constants.signals[name])
    }
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => onSignal(name))
  return stopping.signal
}

async function exitAfter(stop: () => Promise<void>, limitMs: number): Promise<void> {
  setTimeout(() => process.exit(1), limitMs)
  try {
    await stop()
    process.exit(0)
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
}

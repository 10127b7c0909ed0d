import process from 'node:process'
import { constants } from 'node:os'

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
  if (process.env['npm_command'] !== undefined) onOrphaned(() => onSignal('SIGTERM'))
  return stopping.signal
}

/** Calls back when the parent of this process has ended. `npx` ends at SIGTERM and does not pass it on. */
function onOrphaned(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 500).unref()
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

/** Lets this process continue when its standard output or error output is full or closed. Further output is lost. */
export function ignoreOutputErrors(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
}

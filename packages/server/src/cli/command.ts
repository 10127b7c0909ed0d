import process from 'node:process'
import { constants } from 'node:os'

/**
 * Runs a command that ends by itself, and prints its result. Prints its usage for `--help`.
 *
 * @param command receives the arguments of the command line. If it throws, the error is printed and the exit code is 1
 */
export async function runOnce(usage: string, command: (args: readonly string[]) => Promise<string>): Promise<void> {
  const args = parseArguments()
  if (wantsHelp(args)) return console.log(usage)
  try {
    console.log(await command(args))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/** Returns the arguments of the command line, without the `--` that npm requires before them and pnpm passes on. */
export function parseArguments(): readonly string[] {
  return process.argv.slice(2).filter((argument) => argument !== '--')
}

/** Returns whether the arguments of a command line contain `--help` or `-h`. */
export function wantsHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h')
}

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

/** Lets this process continue when its standard output or error output is full or closed. Further output is lost. */
export function ignoreOutputErrors(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
}

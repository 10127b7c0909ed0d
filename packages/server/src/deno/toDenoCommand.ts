import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Settings } from '../settings/Settings.ts'
import { toDenoPermissions } from './toDenoPermissions.ts'

/**
 * Returns the command that starts the service on Deno, as program and arguments, with the permissions that these
 * settings need.
 *
 * @throws `Error` if Deno is not installed
 */
export function toDenoCommand(settings: Settings): readonly [string, ...string[]] {
  // The code and its dependencies are in this repository: Deno must load nothing else.
  const local = ['--no-remote', '--cached-only', '--node-modules-dir=manual']
  // Needed by several processes that listen on one port.
  const sharing = settings.reusePort === 'on' ? ['--unstable-net'] : []
  // Without it the signal of a request also aborts after its response, and Deno warns about that.
  const aborting = '--unstable-no-legacy-abort'
  const flags = [...local, ...sharing, aborting, '--v8-flags=--liftoff-only']
  return [findDeno(), 'run', ...flags, ...toDenoPermissions(settings), join(import.meta.dirname, '../deno.ts')]
}

/** Returns a command as one line for a POSIX shell, quoted where necessary. */
export function formatCommand(command: readonly string[]): string {
  return command.map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}

/** Returns the program of the npm package `deno`. The package's bin script would not forward signals. */
function findDeno(): string {
  try {
    return createRequire(import.meta.url).resolve('deno/deno')
  } catch (cause) {
    throw new Error('Cannot serve on Deno: the package deno is not installed. Run "npx -y pnpm@12 install"', { cause })
  }
}

import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import process from 'node:process'

/** Whether processes can be pinned to a core: by `taskset` and `chrt` of Linux, on two cores or more. */
export const canPin = cpus().length > 1 && has('taskset') && has('chrt')

/** The core reserved for the subject. */
export const subjectCore = 0

/** The core of the sender. */
export const senderCore = 1

/** Pins a command to one core. */
export function pinned(core: number, command: readonly string[]): readonly [string, ...string[]] {
  return (canPin ? ['taskset', '-c', String(core), ...command] : command) as [string, ...string[]]
}

/** Pins this process to the cores that the subject does not use. */
export function leaveFirstCore(): void {
  if (!canPin) return
  execFileSync('taskset', ['-acp', `1-${cpus().length - 1}`, String(process.pid)], { stdio: 'ignore' })
}

function has(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

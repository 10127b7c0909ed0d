import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import process from 'node:process'

/** Whether processes can be held on a core here: by the `taskset` and `chrt` of Linux, where there are two cores or more. */
export const canPin = cpus().length > 1 && has('taskset') && has('chrt')

/** What is measured has this core for itself. */
export const subjectCore = 0

/** Where requests are sent from. */
export const senderCore = 1

/** Makes a command run on one core alone. */
export function pinned(core: number, command: readonly string[]): readonly [string, ...string[]] {
  return (canPin ? ['taskset', '-c', String(core), ...command] : command) as [string, ...string[]]
}

/** Keeps this process off the first core, which belongs to what is measured. */
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

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { cpus } from 'node:os'
import process from 'node:process'
import { killOnExit } from '../../test/harness/killOnExit.ts'

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

/**
 * Keeps the cores of the sender and of the subject busy with idle-priority processes. A core that sleeps between two requests
 * must be woken for the next one, which costs more than sending it, and a virtual machine may take many milliseconds to wake.
 */
export function keepAwake(): Disposable {
  const children = canPin ? [subjectCore, senderCore].map(turn) : []
  return {
    [Symbol.dispose]() {
      for (const child of children) child.kill('SIGKILL')
    },
  }
}

function turn(core: number): ChildProcess {
  const [program, ...args] = pinned(core, ['chrt', '--idle', '0', process.execPath, '--eval', 'for (;;);'])
  const child = spawn(program, args, { stdio: 'ignore' })
  killOnExit(child)
  return child
}

import { spawn, type ChildProcess } from 'node:child_process'
import process from 'node:process'
import { killOnExit } from '../../../test/harness/killOnExit.ts'
import { canPin, pinned, senderCore, subjectCore } from '../cores.ts'

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

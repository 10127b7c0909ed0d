import { spawn } from 'node:child_process'
import process from 'node:process'
import { endWithUs } from '../../stack/endWithUs.ts'
import { canPin, pinned, senderCore } from '../cores.ts'

/**
 * Keeps the core of the sender turning by a process that gives way to any other. A core that falls asleep between two answers
 * has to be woken by whoever sends the next one: that costs what is measured more than the sending, and the slower it is the
 * more.
 */
export function keepAwake(): Disposable {
  if (!canPin) return { [Symbol.dispose]() {} }
  const turn = [process.execPath, '--eval', 'for (;;);']
  const [program, ...args] = pinned(senderCore, ['chrt', '--idle', '0', ...turn])
  const child = spawn(program, args, { stdio: 'ignore' })
  endWithUs(child)
  return { [Symbol.dispose]: () => void child.kill('SIGKILL') }
}

import type { ChildProcess } from 'node:child_process'
import process from 'node:process'

const living = new Map<ChildProcess, NodeJS.Signals>()

process.once('exit', () => {
  for (const [child, signal] of living) {
    child.kill(signal)
    // One that was paused hears of it only then.
    child.kill('SIGCONT')
  }
})

/** Lets a process that a test has started end with the tests, should the test not come to end it. */
export function killOnExit(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  living.set(child, signal)
  child.once('exit', () => living.delete(child))
}

import type { ChildProcess } from 'node:child_process'
import process from 'node:process'

/** Lets a process that a test has started end with the tests, should the test not come to end it. */
export function endWithUs(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  const end = () => {
    child.kill(signal)
    // One that was paused hears of it only then.
    child.kill('SIGCONT')
  }
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

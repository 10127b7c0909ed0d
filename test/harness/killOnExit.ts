import type { ChildProcess } from 'node:child_process'
import process from 'node:process'

const living = new Map<ChildProcess, NodeJS.Signals>()

process.once('exit', () => {
  for (const [child, signal] of living) {
    child.kill(signal)
    // A paused process handles the signal only once it continues.
    child.kill('SIGCONT')
  }
})

/** Ends a child process together with this process, unless it has exited before. */
export function killOnExit(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  living.set(child, signal)
  child.once('exit', () => living.delete(child))
}

import type { ChildProcess } from 'node:child_process'
import type { WorkerMessage } from './WorkerMessage.ts'

const intervalMs = 1000
// A worker loads its modules before its first message.
const maxMissedAtStart = 60
const maxMissed = 10

/** Sends a heartbeat at once and then each second, as long as the event loop of this process runs. */
export function sendHeartbeats(send: (message: WorkerMessage) => void): void {
  const beat = () => send({ kind: 'alive' })
  beat()
  setInterval(beat, intervalMs).unref()
}

/**
 * Kills a worker that has sent no message for ten seconds: its event loop is blocked, or its process is paused. Counts the
 * intervals of this process, which stand still together with the worker when the whole machine is suspended.
 *
 * @param onHung called before the worker is killed
 */
export function killIfHung(worker: ChildProcess, onHung: () => void): void {
  let missed = 0
  let limit = maxMissedAtStart
  const timer = setInterval(() => {
    missed += 1
    if (missed < limit) return
    clearInterval(timer)
    onHung()
    // A paused process handles no other signal.
    worker.kill('SIGKILL')
  }, intervalMs)
  worker.on('message', () => {
    missed = 0
    limit = maxMissed
  })
  worker.once('exit', () => clearInterval(timer))
}

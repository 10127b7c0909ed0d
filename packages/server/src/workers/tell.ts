import type { ChildProcess } from 'node:child_process'
import type { SupervisorMessage } from './WorkerMessage.ts'

/** Sends a message to a worker, unless it is ending. */
export function tell(worker: ChildProcess, message: SupervisorMessage): void {
  // An error is that the worker has ended since, which its exit reports.
  if (worker.connected) worker.send(message, () => {})
}

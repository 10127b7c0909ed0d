import type { ChildProcess } from 'node:child_process'
import type { SupervisorMessage } from './WorkerMessage.ts'

/** Sends a message to a worker, unless it is ending. */
export function tell(worker: ChildProcess, message: SupervisorMessage): void {
  // An error means that the worker has ended. Its exit is handled elsewhere.
  if (worker.connected) worker.send(message, () => {})
}

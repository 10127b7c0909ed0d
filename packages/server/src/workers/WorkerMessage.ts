import type { Network } from '@agio/core'
import type { Registry } from 'prom-client'
import type { ChildProcess } from 'node:child_process'

/** A message from a worker to its supervisor. */
export type WorkerMessage =
  /** The event loop of the worker runs. */
  | { readonly kind: 'alive' }
  | {
      readonly kind: 'ready'
      readonly url: string
      readonly adminUrl: string | undefined
      readonly chainIds: readonly Network.ChainId[]
      /** `ready`, or `ready (degraded: …)`. */
      readonly readiness: string
    }
  /** Requests the metrics of all workers. */
  | { readonly kind: 'metrics'; readonly id: number }
  /** The worker's own metrics. */
  | { readonly kind: 'collected'; readonly id: number; readonly metrics: Metrics }

/** A message from the supervisor to a worker. */
export type SupervisorMessage =
  | { readonly kind: 'stop' }
  /** Requests the worker's own metrics. */
  | { readonly kind: 'collect'; readonly id: number }
  /** The metrics of all workers. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string }

/** The metrics of one process. */
export type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Sends a message to a worker, unless it is ending. */
export function postMessage(worker: ChildProcess, message: SupervisorMessage): void {
  // An error means that the worker has ended. Its exit is handled elsewhere.
  if (worker.connected) worker.send(message, () => {})
}

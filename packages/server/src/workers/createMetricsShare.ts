import type { Registry } from 'prom-client'
import type { SupervisorMessage, WorkerMessage } from './WorkerMessage.ts'

/**
 * Creates the exchange by which any worker can return the metrics of all workers. Each worker sends its own metrics
 * when the supervisor requests them, and requests the sum from the supervisor.
 */
export function createMetricsShare(send: (message: WorkerMessage) => void): MetricsShare {
  const waiting = new Map<number, (text: string) => void>()
  let workerRegistry: Registry | undefined
  let lastId = 0
  async function render(): Promise<string> {
    lastId += 1
    const id = lastId
    const { promise, resolve } = Promise.withResolvers<string>()
    waiting.set(id, resolve)
    send({ kind: 'metrics', id })
    return await promise
  }
  return {
    shareMetrics(registry) {
      workerRegistry = registry
      return render
    },
    async collect({ id }) {
      send({ kind: 'collected', id, metrics: (await workerRegistry?.getMetricsAsJSON()) ?? [] })
    },
    receive({ id, text }) {
      waiting.get(id)?.(text)
      waiting.delete(id)
    },
  }
}

/** Exchanges metrics with the supervisor. */
export type MetricsShare = {
  /** Shares the metrics of this worker. @returns a function that renders the metrics of all workers */
  shareMetrics(registry: Registry): () => Promise<string>
  /** Sends the metrics of this worker to the supervisor. */
  collect(message: Extract<SupervisorMessage, { readonly kind: 'collect' }>): Promise<void>
  /** Receives the metrics of all workers. */
  receive(message: Extract<SupervisorMessage, { readonly kind: 'metrics' }>): void
}

import type { ChildProcess } from 'node:child_process'
import { AggregatorRegistry } from 'prom-client'
import { postMessage } from './WorkerMessage.ts'
import type { Metrics, WorkerMessage } from './WorkerMessage.ts'

const timeoutMs = 5000

/**
 * Creates a collector that requests the metrics of all workers and adds them up. Skips a worker that ends meanwhile.
 */
export function createMetricsCollector(listWorkers: () => readonly ChildProcess[]): MetricsCollector {
  const waiting = new Map<number, (metrics: Metrics) => void>()
  let lastId = 0

  async function collectFrom(worker: ChildProcess): Promise<Metrics> {
    lastId += 1
    const id = lastId
    const { promise, resolve, reject } = Promise.withResolvers<Metrics>()
    const end = () => resolve([])
    const timer = setTimeout(
      () => reject(new Error('Cannot collect metrics: a worker did not answer in time')),
      timeoutMs,
    )
    waiting.set(id, resolve)
    worker.once('exit', end)
    postMessage(worker, { kind: 'collect', id })
    return await promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(id)
      worker.off('exit', end)
    })
  }
  return {
    async collect() {
      const collected = await Promise.all(listWorkers().map(collectFrom))
      return await AggregatorRegistry.aggregate(collected).metrics()
    },
    receive: ({ id, metrics }) => waiting.get(id)?.(metrics),
  }
}

/** Collects the metrics of all workers. */
export type MetricsCollector = {
  /** Returns the metrics of all workers as text. @throws `Error` if a worker does not answer in time */
  collect(): Promise<string>
  /** Receives the metrics of a worker. */
  receive(message: Extract<WorkerMessage, { readonly kind: 'collected' }>): void
}

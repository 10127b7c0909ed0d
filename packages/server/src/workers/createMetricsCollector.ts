import type { ChildProcess } from 'node:child_process'
import { AggregatorRegistry } from 'prom-client'
import { postMessage } from './WorkerMessage.ts'
import type { Metrics, WorkerMessage } from './WorkerMessage.ts'

const timeoutMs = 1000

/**
 * Creates a collector that requests the metrics of all workers and adds them up. A worker that does not answer within a second has
 * no gauges, and the counters of its last answer: without them, the sums would seem to restart from zero. A worker that ends has no
 * metrics.
 */
export function createMetricsCollector(listWorkers: () => readonly ChildProcess[]): MetricsCollector {
  const waiting = new Map<number, (metrics: Metrics) => void>()
  const lastCounters = new WeakMap<ChildProcess, Metrics>()
  let lastId = 0

  async function collectFrom(worker: ChildProcess): Promise<Metrics> {
    lastId += 1
    const id = lastId
    const { promise, resolve } = Promise.withResolvers<Metrics>()
    const end = () => resolve([])
    const timer = setTimeout(() => resolve(lastCounters.get(worker) ?? []), timeoutMs)
    waiting.set(id, (metrics) => {
      lastCounters.set(worker, metrics.filter(isCounter))
      resolve(metrics)
    })
    worker.once('exit', end)
    postMessage(worker, { kind: 'collect', id })
    const metrics = await promise
    clearTimeout(timer)
    waiting.delete(id)
    worker.off('exit', end)
    return metrics
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
  /** Returns the metrics of all workers as text. */
  collect(): Promise<string>
  /** Receives the metrics of a worker. */
  receive(message: Extract<WorkerMessage, { readonly kind: 'collected' }>): void
}

/** Returns whether a metric only grows: it is a counter or a histogram. */
function isCounter({ type }: Metrics[number]): boolean {
  // The type of prom-client declares a number.
  return String(type) !== 'gauge'
}

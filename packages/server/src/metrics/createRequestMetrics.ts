import type { Sample } from './registerCounted.ts'

// The upper bounds of the histogram's buckets, in seconds.
const bounds = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20] as const

/**
 * Creates the counters of responses by operation and status, and of their durations by operation and class of the status.
 *
 * prom-client's own counters serialize the labels for every response. These counters take two look-ups. They are
 * converted to samples of prom-client only when Prometheus reads them.
 */
export function createRequestMetrics(): RequestMetrics {
  const byOperation = new Map<string, OperationMetrics>()
  function getOrCreate(operation: string): OperationMetrics {
    const existing = byOperation.get(operation)
    if (existing) return existing
    const created: OperationMetrics = { byStatus: new Map(), durations: [] }
    byOperation.set(operation, created)
    return created
  }
  return {
    add({ operation, status, seconds }) {
      const metrics = getOrCreate(operation)
      metrics.byStatus.set(status, (metrics.byStatus.get(status) ?? 0) + 1)
      const durations = (metrics.durations[Math.floor(status / 100)] ??= createDurations())
      durations.seconds += seconds
      let bucket = 0
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1
      durations.counts[bucket] = (durations.counts[bucket] ?? 0) + 1
    },
    listRequests: () =>
      [...byOperation].flatMap(([operation, { byStatus }]) =>
        [...byStatus].map(([status, value]) => ({ labels: { operation, status }, value })),
      ),
    listDurations: (name) =>
      [...byOperation].flatMap(([operation, { durations }]) =>
        durations.flatMap((ofClass, status) => toSamples(name, { operation, status_class: `${status}xx` }, ofClass)),
      ),
  }
}

/** Counts responses and measures their time. */
export type RequestMetrics = {
  /** Counts one response. */
  add(response: { readonly operation: string; readonly status: number; readonly seconds: number }): void
  /** Returns the number of responses, by operation and status. */
  listRequests(): readonly Sample[]
  /** Returns the samples of the histogram with that name, by operation and class of the status. */
  listDurations(name: string): readonly Sample[]
}

type OperationMetrics = {
  readonly byStatus: Map<number, number>
  /** By the first digit of the status. */
  readonly durations: Durations[]
}

type Durations = { readonly counts: number[]; seconds: number }

function createDurations(): Durations {
  return { counts: Array.from({ length: bounds.length + 1 }, () => 0), seconds: 0 }
}

function toSamples(name: string, labels: Sample['labels'], { counts, seconds }: Durations): readonly Sample[] {
  let total = 0
  const buckets = counts.map((count, index) => {
    total += count
    return { labels: { le: bounds[index] ?? '+Inf', ...labels }, value: total, metricName: `${name}_bucket` }
  })
  return [
    ...buckets,
    { labels, value: seconds, metricName: `${name}_sum` },
    { labels, value: total, metricName: `${name}_count` },
  ]
}

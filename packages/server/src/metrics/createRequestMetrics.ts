// The upper bounds of the histogram's buckets, in seconds.
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 20] as const

/**
 * Creates the counters of responses by operation and status, and of their durations by operation.
 *
 * prom-client's own counters serialize the labels for every response. These counters take two look-ups. They are
 * converted to samples of prom-client only when Prometheus reads them.
 */
export function createRequestMetrics(): RequestMetrics {
  const byOperation = new Map<string, OperationMetrics>()
  function getOrCreate(operation: string): OperationMetrics {
    const existing = byOperation.get(operation)
    if (existing) return existing
    const created: OperationMetrics = {
      byStatus: new Map(),
      counts: Array.from({ length: bounds.length + 1 }, () => 0),
      seconds: 0,
    }
    byOperation.set(operation, created)
    return created
  }
  return {
    add({ operation, status, seconds }) {
      const metrics = getOrCreate(operation)
      metrics.byStatus.set(status, (metrics.byStatus.get(status) ?? 0) + 1)
      metrics.seconds += seconds
      let bucket = 0
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1
      metrics.counts[bucket] = (metrics.counts[bucket] ?? 0) + 1
    },
    listRequests: () =>
      [...byOperation].flatMap(([operation, { byStatus }]) =>
        [...byStatus].map(([status, value]) => ({ labels: { operation, status }, value })),
      ),
    listDurations: (name) => [...byOperation].flatMap(([operation, metrics]) => toSamples(name, operation, metrics)),
  }
}

/** Counts responses and measures their time. */
export type RequestMetrics = {
  /** Counts one response. */
  add(response: { readonly operation: string; readonly status: number; readonly seconds: number }): void
  /** Returns the number of responses, by operation and status. */
  listRequests(): readonly Sample[]
  /** Returns the samples of the histogram with that name, by operation. */
  listDurations(name: string): readonly Sample[]
}

/** One sample of a metric: a line of the text that Prometheus reads. */
export type Sample = {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** The name of the sample, if it differs from the metric's name. */
  readonly metricName?: string
}

type OperationMetrics = { readonly byStatus: Map<number, number>; readonly counts: number[]; seconds: number }

function toSamples(name: string, operation: string, { counts, seconds }: OperationMetrics): readonly Sample[] {
  let total = 0
  const buckets = counts.map((count, index) => {
    total += count
    return { labels: { le: bounds[index] ?? '+Inf', operation }, value: total, metricName: `${name}_bucket` }
  })
  return [
    ...buckets,
    { labels: { operation }, value: seconds, metricName: `${name}_sum` },
    { labels: { operation }, value: total, metricName: `${name}_count` },
  ]
}

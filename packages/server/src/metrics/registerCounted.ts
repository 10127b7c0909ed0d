import type { Metric, Registry } from 'prom-client'

/** One sample of a metric: a line of the text that Prometheus reads. */
export type Sample = {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** The name of the sample, if it differs from the metric's name. */
  readonly metricName?: string
}

/** A metric that is counted outside of prom-client. */
export type CountedMetric = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labelNames: readonly string[]
  readonly list: (name: string) => readonly Sample[] | Promise<readonly Sample[]>
}

/** Registers a metric that is counted outside of prom-client: a registry only calls `get`. */
export function registerCounted(registry: Registry, { list, ...metric }: CountedMetric): void {
  const { labelNames: _, ...fields } = metric
  const get = async () => ({ ...fields, values: await list(metric.name) })
  registry.registerMetric({ ...metric, get } as unknown as Metric)
}

// The upper bounds of the buckets that times fall into, in seconds.
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 20] as const

/**
 * Counts answers by operation and status, and their times by operation.
 *
 * prom-client's own counters make a text of the labels at every answer, to find a figure by it. These are two look-ups
 * away, and take prom-client's form when somebody reads them.
 */
export function createAnswerFigures(): AnswerFigures {
  const byOperation = new Map<string, Figures>()
  function getFigures(operation: string): Figures {
    const known = byOperation.get(operation)
    if (known) return known
    const figures: Figures = {
      byStatus: new Map(),
      counts: Array.from({ length: bounds.length + 1 }, () => 0),
      seconds: 0,
    }
    byOperation.set(operation, figures)
    return figures
  }
  return {
    add({ operation, status, seconds }) {
      const figures = getFigures(operation)
      figures.byStatus.set(status, (figures.byStatus.get(status) ?? 0) + 1)
      figures.seconds += seconds
      let bucket = 0
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1
      figures.counts[bucket] = (figures.counts[bucket] ?? 0) + 1
    },
    listRequests: () =>
      [...byOperation].flatMap(([operation, { byStatus }]) =>
        [...byStatus].map(([status, value]) => ({ labels: { operation, status }, value })),
      ),
    listTimes: (name) => [...byOperation].flatMap(([operation, figures]) => toSamples(name, operation, figures)),
  }
}

export type AnswerFigures = {
  add(answer: { readonly operation: string; readonly status: number; readonly seconds: number }): void
  /** How many answers there were, by operation and status. */
  listRequests(): readonly Sample[]
  /** The samples of a histogram of that name, by operation. */
  listTimes(name: string): readonly Sample[]
}

/** One line of what Prometheus reads. */
export type Sample = {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** If it is another one than that of the whole metric. */
  readonly metricName?: string
}

type Figures = { readonly byStatus: Map<number, number>; readonly counts: number[]; seconds: number }

function toSamples(name: string, operation: string, { counts, seconds }: Figures): readonly Sample[] {
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

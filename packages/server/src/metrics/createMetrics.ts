import type { Metrics } from '@agio/api'
import type { Chain } from '@agio/chain'
import type { Limiter, Store } from '@agio/store'
import { Gauge, Registry, type Metric } from 'prom-client'
import { collectProcessMetrics } from './collectProcessMetrics.ts'
import { createQuoteMetrics } from './createQuoteMetrics.ts'
import { createRequestMetrics, type Sample } from './createRequestMetrics.ts'
import { createWebhookMetrics } from './createWebhookMetrics.ts'

/**
 * Creates the metrics of the service: its requests, and the state of its parts at the time when Prometheus reads them.
 */
export function createMetrics(
  parts: createMetrics.Parts,
): Metrics & { readonly observeDelivery: ReturnType<typeof createWebhookMetrics> } {
  const registry = new Registry()
  collectProcessMetrics(registry)
  const requests = createRequestMetrics()
  register(registry, {
    name: 'agio_requests_total',
    help: 'Answered requests, by operation and status',
    type: 'counter',
    list: requests.listRequests,
  })
  register(registry, {
    name: 'agio_request_duration_seconds',
    help: 'Time from request to response, by operation',
    type: 'histogram',
    list: requests.listDurations,
  })
  register(registry, {
    name: 'agio_log_lines_dropped_total',
    help: 'Log lines that were dropped because the output was full or stalled',
    type: 'counter',
    list: () => [{ labels: {}, value: parts.countDroppedLines() }],
  })
  for (const [name, { help, read, aggregator = 'sum' }] of Object.entries(readings)) {
    const collect = function collect(this: Gauge) {
      this.set(read(parts))
    }
    registry.registerMetric(new Gauge({ name, help, aggregator, registers: [], collect }))
  }
  for (const [name, { help, read, aggregator = 'max' }] of Object.entries(chainReadings)) {
    const collect = function collect(this: Gauge<'chain'>) {
      for (const chain of parts.chains) this.set({ chain: chain.chainId }, read(chain))
    }
    registry.registerMetric(new Gauge({ name, help, aggregator, labelNames: ['chain'], registers: [], collect }))
  }
  const collect = function collect(this: Gauge<'chain' | 'node'>) {
    for (const { chainId, nodes } of parts.chains) {
      for (const { position, state } of nodes.list())
        this.set({ chain: chainId, node: position }, Number(state === 'healthy'))
    }
  }
  registry.registerMetric(
    new Gauge({ ...nodeUp, aggregator: 'min', labelNames: ['chain', 'node'], registers: [], collect }),
  )
  const observeQuote = createQuoteMetrics(registry)
  const streams = new Gauge({
    name: 'agio_streams',
    help: 'Open streams',
    aggregator: 'sum',
    registers: [registry],
  })
  return {
    observe({ operation, status, ms }) {
      // A batch is one request with several operations. Usage counts each operation.
      requests.add({ operation: operation.includes(',') ? 'batch' : operation, status, seconds: ms / 1000 })
    },
    observeQuote,
    observeStreams: (count) => streams.set(count),
    observeDelivery: createWebhookMetrics(registry),
    render: parts.shareMetrics?.(registry) ?? (() => registry.metrics()),
    mediaType: registry.contentType,
  }
}

export declare namespace createMetrics {
  type Parts = {
    readonly chains: readonly Chain[]
    readonly store: Pick<Store, 'state' | 'usage'>
    readonly limiter: Pick<Limiter, 'state'>
    readonly countDroppedLines: () => number
    readonly shareMetrics?: ((registry: Registry) => () => Promise<string>) | undefined
  }
}

type OwnMetric = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'histogram'
  readonly list: (name: string) => readonly Sample[]
}

/** Registers a metric that is counted outside of prom-client: a registry only calls `get`. */
function register(registry: Registry, { list, ...metric }: OwnMetric): void {
  const get = async () => ({ ...metric, values: list(metric.name), aggregator: 'sum' })
  registry.registerMetric({ name: metric.name, get } as unknown as Metric)
}

type Reading<From> = {
  readonly help: string
  readonly read: (from: From) => number
  /** How the values of several processes are combined. Default: their sum. */
  readonly aggregator?: 'min' | 'max'
}

const readings: Readonly<Record<string, Reading<createMetrics.Parts>>> = {
  agio_workers: {
    help: 'Processes that serve the port together',
    read: () => 1,
  },
  agio_storage_up: {
    help: 'Whether the database of keys and usage is reachable',
    read: ({ store }) => Number(store.state() !== 'unreachable'),
    aggregator: 'min',
  },
  agio_storage_writable: {
    help: 'Whether usage can be written to the database',
    read: ({ store }) => Number(store.state() === 'ok'),
    aggregator: 'min',
  },
  agio_limits_shared: {
    help: 'Whether limits are counted in Redis',
    read: ({ limiter }) => Number(limiter.state() === 'shared'),
    aggregator: 'min',
  },
  agio_usage_waiting_calls: {
    help: 'Calls that are counted and not yet written to the database',
    read: ({ store }) => store.usage.countUnwritten(),
  },
}

const nodeUp = {
  name: 'agio_chain_node_up',
  help: 'Whether a node is healthy, by its position in RPC_URL_<chain>; 0 if unavailable, lagging or on another chain',
}

const chainReadings: Readonly<Record<string, Reading<Chain>>> = {
  agio_chain_block_number: {
    help: 'Number of the newest block that a node has reported',
    read: ({ heads }) => Number(heads.state().head?.number ?? 0),
    aggregator: 'min',
  },
  agio_chain_disproven_pools: {
    help: 'Pools that are priced by their own views because the views differed from the returned curve',
    read: ({ pools }) => pools.listDisproven().length,
  },
  agio_chain_confirmed_seconds: {
    help: 'Seconds since a node last confirmed the newest block',
    read: ({ heads }) => (performance.now() - heads.state().confirmedAtMs) / 1000,
  },
}

import type { Metrics } from '@agio/api'
import { doubtSubjects, type Chain } from '@agio/chain'
import { dropReasons, type Limiter, type Store, type FinishedAttempt } from '@agio/store'
import { Gauge, Registry, type Metric, Counter } from 'prom-client'
import { closedReasons, type ClosedReason } from '../http/trackConnections.ts'
import { collectProcessMetrics } from './collectProcessMetrics.ts'
import { createQuoteMetrics } from './createQuoteMetrics.ts'
import { createRequestMetrics, type Sample } from './createRequestMetrics.ts'

/**
 * Creates the metrics of the service: its requests, and the state of its parts at the time when Prometheus reads them.
 */
export function createMetrics(dependencies: createMetrics.Dependencies, registry = new Registry()): ServiceMetrics {
  collectProcessMetrics(registry)
  const requests = createRequestMetrics()
  register(registry, {
    name: 'agio_requests_total',
    help: 'Responses, by operation and HTTP status. A tRPC batch counts once, as the operation batch',
    type: 'counter',
    labelNames: ['operation', 'status'],
    list: requests.listRequests,
  })
  register(registry, {
    name: 'agio_request_duration_seconds',
    help: 'Time from the request to the response, by operation',
    type: 'histogram',
    labelNames: ['operation'],
    list: requests.listDurations,
  })
  registerCounts(registry, dependencies)
  for (const [name, { help, measure }] of Object.entries(readings)) {
    const collect = function collect(this: Gauge) {
      this.set(measure(dependencies))
    }
    registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
  }
  for (const [name, { help, measure }] of Object.entries(chainReadings)) {
    const collect = function collect(this: Gauge<'chain'>) {
      for (const chain of dependencies.chains) this.set({ chain: chain.chainId }, measure(chain))
    }
    registry.registerMetric(new Gauge({ name, help, labelNames: ['chain'], registers: [], collect }))
  }
  const collect = function collect(this: Gauge<'chain' | 'node'>) {
    for (const { chainId, nodes } of dependencies.chains) {
      for (const { position, state } of nodes.list())
        this.set({ chain: chainId, node: position }, Number(state === 'healthy'))
    }
  }
  registry.registerMetric(new Gauge({ ...nodeUp, labelNames: ['chain', 'node'], registers: [], collect }))
  const observeQuote = createQuoteMetrics(registry)
  const streams = new Gauge({
    name: 'agio_streams',
    help: 'Open streams of all keys',
    registers: [registry],
  })
  return {
    observe({ operation, status, ms }) {
      // A batch is one request with several operations. Usage counts each operation.
      requests.add({ operation: operation.includes(',') ? 'batch' : operation, status, seconds: ms / 1000 })
    },
    observeQuote,
    observeNodeRequests: createNodeRequestMetrics(registry),
    observeStreams: (count) => streams.set(count),
    observeDelivery: createWebhookMetrics(registry),
    observeClosedConnection: createConnectionMetrics(registry),
    render: () => registry.metrics(),
    mediaType: registry.contentType,
  }
}

export declare namespace createMetrics {
  type Dependencies = {
    readonly chains: readonly Chain[]
    readonly store: Pick<Store, 'state' | 'usage' | 'requestLog'>
    readonly limiter: Pick<Limiter, 'state'>
    readonly countDroppedLines: () => number
  }
}

/** The metrics of the API, and of what only this package observes. */
export type ServiceMetrics = Metrics & {
  readonly observeDelivery: (finished: FinishedAttempt) => void
  readonly observeClosedConnection: (reason: ClosedReason) => void
}

/** Registers what other parts of the service count. */
function registerCounts(registry: Registry, dependencies: createMetrics.Dependencies): void {
  register(registry, {
    name: 'agio_log_lines_dropped_total',
    help: 'Log lines that were dropped because the output was full or stalled',
    type: 'counter',
    labelNames: [],
    list: () => [{ labels: {}, value: dependencies.countDroppedLines() }],
  })
  register(registry, {
    name: 'agio_request_log_dropped_total',
    help: 'Calls that are missing in the request logs of their keys, by reason: sampled because the key repeats successful reads or refusals by its limits, full if the write buffer was full, lost if the database refused a write',
    type: 'counter',
    labelNames: ['reason'],
    list: () =>
      dropReasons.map((reason) => ({ labels: { reason }, value: dependencies.store.requestLog.countDropped(reason) })),
  })
  register(registry, {
    name: 'agio_chain_doubtful_answers_total',
    help: 'Answers of nodes that are not plausible or that another node contradicts, by chain and subject',
    type: 'counter',
    labelNames: ['chain', 'subject'],
    list: () => dependencies.chains.flatMap(listDoubts),
  })
}

function listDoubts({ chainId, nodes }: Chain): readonly Sample[] {
  return doubtSubjects.map((subject) => ({
    labels: { chain: String(chainId), subject },
    value: nodes.countDoubts(subject),
  }))
}

/** Creates the counter of node requests, and returns a function that counts them. */
function createNodeRequestMetrics(registry: Registry): Metrics['observeNodeRequests'] {
  const requests = new Counter({
    name: 'agio_node_requests_total',
    help: 'Node requests of calls by operation (batch for several), of streams (stream.transaction and stream.quote) and of webhooks (webhooks.look), by outcome: admitted, or for streams and webhooks refused by the budget of the key',
    labelNames: ['operation', 'outcome'],
    registers: [registry],
  })
  return ({ operation, outcome, count }) => requests.inc({ operation, outcome }, count)
}

type CountedMetric = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'histogram'
  readonly labelNames: readonly string[]
  readonly list: (name: string) => readonly Sample[]
}

/** Registers a metric that is counted outside of prom-client: a registry only calls `get`. */
function register(registry: Registry, { list, ...metric }: CountedMetric): void {
  const { labelNames: _, ...fields } = metric
  const get = async () => ({ ...fields, values: list(metric.name) })
  registry.registerMetric({ ...metric, get } as unknown as Metric)
}

type Reading<From> = {
  readonly help: string
  readonly measure: (from: From) => number
}

const readings: Readonly<Record<string, Reading<createMetrics.Dependencies>>> = {
  agio_storage_up: {
    help: '1 if the database of keys and usage is reachable, otherwise 0',
    measure: ({ store }) => Number(store.state() !== 'unreachable'),
  },
  agio_storage_writable: {
    help: '1 if usage can be written to the database, otherwise 0',
    measure: ({ store }) => Number(store.state() === 'ok'),
  },
  agio_limits_shared: {
    help: '1 if limits are counted in Redis, otherwise 0',
    measure: ({ limiter }) => Number(limiter.state() === 'shared'),
  },
  agio_usage_waiting_calls: {
    help: 'Counted calls that are not yet written to the database',
    measure: ({ store }) => store.usage.countUnwritten(),
  },
}

const nodeUp = {
  name: 'agio_chain_node_up',
  help: '1 if the node at this position of RPC_URL_<chain> is healthy. 0 if it is unavailable, lagging, unproven or on another chain',
}

const chainReadings: Readonly<Record<string, Reading<Chain>>> = {
  agio_chain_block_number: {
    help: 'Number of the newest block that a node has reported',
    measure: ({ heads }) => Number(heads.state().head?.number ?? 0),
  },
  agio_chain_disproven_pools: {
    help: 'Pools that are priced by their views, because the views differed from the computed curve',
    measure: ({ pools }) => pools.listDisproven().length,
  },
  agio_chain_confirmed_seconds: {
    help: 'Seconds since a node last confirmed the newest block',
    measure: ({ heads }) => (performance.now() - heads.state().confirmedAtMs) / 1000,
  },
}

const outcomes = ['delivered', 'retried', 'given-up', 'disabled', 'lost'] as const satisfies readonly FinishedAttempt[]

/** Creates the metrics of webhooks, and returns a function that counts an attempt. */
function createWebhookMetrics(registry: Registry): (finished: FinishedAttempt) => void {
  const attempts = new Counter({
    name: 'agio_webhook_attempts_total',
    help: 'Attempts to deliver a webhook message, by outcome: delivered, retried, given-up, disabled if the attempt disabled the webhook, lost if another process has taken over the delivery',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of outcomes) attempts.inc({ outcome }, 0)
  return (outcome) => attempts.inc({ outcome })
}

/** Creates the metric of closed connections, and returns a function that counts one. */
function createConnectionMetrics(registry: Registry): (reason: ClosedReason) => void {
  const closed = new Counter({
    name: 'agio_connections_closed_total',
    help: 'Connections that the service closed because of a limit, by reason: idle-without-key and idle if a new connection replaced them, without and with a valid key before; all-busy if the new connection was closed, because no other was idle; pipelining above 16 waiting requests; unread-response if the client read nothing. Not on Deno',
    labelNames: ['reason'],
    registers: [registry],
  })
  for (const reason of closedReasons) closed.inc({ reason }, 0)
  return (reason) => closed.inc({ reason })
}

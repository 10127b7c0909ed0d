import process from 'node:process'
import { version, type Metrics } from '@agio/api'
import { doubtSubjects, type Chain } from '@agio/chain'
import { dropReasons, type Limiter, type Store } from '@agio/store'
import { Gauge, Registry } from 'prom-client'
import { dropReasons as spanDropReasons, type Tracer } from '../tracing/Tracer.ts'
import { collectProcessMetrics } from './collectProcessMetrics.ts'
import { createEventMetrics, type EventMetrics } from './createEventMetrics.ts'
import { createQuoteMetrics } from './createQuoteMetrics.ts'
import { createRequestMetrics } from './createRequestMetrics.ts'
import { registerBacklog } from './registerBacklog.ts'
import { registerCounted, type Sample } from './registerCounted.ts'

/**
 * Creates the metrics of the service: its requests, and the state of its parts at the time when Prometheus reads them.
 */
export function createMetrics(dependencies: createMetrics.Dependencies, registry = new Registry()): ServiceMetrics {
  collectProcessMetrics(registry)
  const requests = createRequestMetrics()
  registerCounted(registry, {
    name: 'agio_requests_total',
    help: 'Responses, by operation and HTTP status. A tRPC batch counts once, as the operation batch',
    type: 'counter',
    labelNames: ['operation', 'status'],
    list: requests.listRequests,
  })
  registerCounted(registry, {
    name: 'agio_request_duration_seconds',
    help: 'Time from the request to the response, by operation and class of the HTTP status, such as 2xx',
    type: 'histogram',
    labelNames: ['operation', 'status_class'],
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
  registerBacklog(registry, dependencies.store)
  return {
    observe({ operation, status, ms }) {
      // A batch is one request with several operations. Usage counts each operation.
      requests.add({ operation: operation.includes(',') ? 'batch' : operation, status, seconds: ms / 1000 })
    },
    observeQuote,
    ...createEventMetrics(registry),
    render: () => registry.metrics(),
    mediaType: registry.contentType,
  }
}

export declare namespace createMetrics {
  type Dependencies = {
    readonly chains: readonly Chain[]
    readonly store: Pick<Store, 'state' | 'usage' | 'requestLog' | 'countConnections' | 'readBacklog'>
    readonly limiter: Pick<Limiter, 'state'>
    readonly countDroppedLines: () => number
    /** The tracer; undefined without a collector. */
    readonly tracer?: Pick<Tracer, 'countDropped'> | undefined
  }
}

/** The metrics of the API, and of what only this package observes. */
export type ServiceMetrics = Metrics & Pick<EventMetrics, 'observeDelivery' | 'connections'>

/** Registers what other parts of the service count. */
function registerCounts(registry: Registry, dependencies: createMetrics.Dependencies): void {
  registerCounted(registry, {
    name: 'agio_build_info',
    help: '1, with the version of the service, and the runtime with its version',
    type: 'gauge',
    labelNames: ['version', 'runtime', 'runtime_version'],
    list: () => [{ labels: { version, ...readRuntime() }, value: 1 }],
  })
  registerCounted(registry, {
    name: 'agio_database_connections',
    help: 'Connections to PostgreSQL, by state: busy or idle. Absent with an embedded database',
    type: 'gauge',
    labelNames: ['state'],
    list: () => listConnections(dependencies.store),
  })
  registerCounted(registry, {
    name: 'agio_database_waiting',
    help: 'Statements and transactions that wait for a connection to PostgreSQL. Absent with an embedded database',
    type: 'gauge',
    labelNames: [],
    list: () =>
      [dependencies.store.countConnections() ?? []].flat().map(({ waiting: value }) => ({ labels: {}, value })),
  })
  registerCounted(registry, {
    name: 'agio_log_lines_dropped_total',
    help: 'Log lines that were dropped because the output was full or stalled',
    type: 'counter',
    labelNames: [],
    list: () => [{ labels: {}, value: dependencies.countDroppedLines() }],
  })
  registerCounted(registry, {
    name: 'agio_trace_spans_dropped_total',
    help: 'Spans of traces that were not sent, by reason: full if too many waited for the collector, lost if the collector did not accept them',
    type: 'counter',
    labelNames: ['reason'],
    list: () =>
      spanDropReasons.map((reason) => ({
        labels: { reason },
        value: dependencies.tracer?.countDropped(reason) ?? 0,
      })),
  })
  registerCounted(registry, {
    name: 'agio_request_log_dropped_total',
    help: 'Calls that are missing in the request logs of their keys, by reason: sampled because the key repeats successful reads or refusals by its limits, full if the write buffer was full, lost if the database refused a write',
    type: 'counter',
    labelNames: ['reason'],
    list: () =>
      dropReasons.map((reason) => ({ labels: { reason }, value: dependencies.store.requestLog.countDropped(reason) })),
  })
  registerCounted(registry, {
    name: 'agio_chain_doubtful_answers_total',
    help: 'Answers of nodes that are not plausible or that another node contradicts, by chain and subject',
    type: 'counter',
    labelNames: ['chain', 'subject'],
    list: () => dependencies.chains.flatMap(listDoubts),
  })
}

function readRuntime() {
  const { deno, node } = process.versions
  return deno === undefined ? { runtime: 'node', runtime_version: node } : { runtime: 'deno', runtime_version: deno }
}

function listConnections({ countConnections }: createMetrics.Dependencies['store']): readonly Sample[] {
  const counted = countConnections()
  if (!counted) return []
  return (['busy', 'idle'] as const).map((state) => ({ labels: { state }, value: counted[state] }))
}

function listDoubts({ chainId, nodes }: Chain): readonly Sample[] {
  return doubtSubjects.map((subject) => ({
    labels: { chain: String(chainId), subject },
    value: nodes.countDoubts(subject),
  }))
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

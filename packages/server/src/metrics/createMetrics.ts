import type { Metrics } from '@agio/api'
import type { Chain } from '@agio/chain'
import type { Limiter, Store } from '@agio/store'
import { collectDefaultMetrics, Gauge, Registry, type Metric } from 'prom-client'
import { createAnswerFigures, type Sample } from './createAnswerFigures.ts'

/** Counts answers, and tells how the parts of the service are when it is asked. */
export function createMetrics(parts: createMetrics.Parts): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answers = createAnswerFigures()
  register(registry, {
    name: 'agio_requests_total',
    help: 'Answered requests, by operation and status',
    type: 'counter',
    list: answers.listRequests,
  })
  register(registry, {
    name: 'agio_request_duration_seconds',
    help: 'Time from a request to its answer, by operation',
    type: 'histogram',
    list: answers.listTimes,
  })
  for (const [name, { help, read }] of Object.entries(readings)) {
    const collect = function collect(this: Gauge) {
      this.set(read(parts))
    }
    registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
  }
  for (const [name, { help, read }] of Object.entries(chainReadings)) {
    const collect = function collect(this: Gauge<'chain'>) {
      for (const chain of parts.chains) this.set({ chain: chain.chainId }, read(chain))
    }
    registry.registerMetric(new Gauge({ name, help, labelNames: ['chain'], registers: [], collect }))
  }
  const collect = function collect(this: Gauge<'chain' | 'node'>) {
    for (const { chainId, listNodes } of parts.chains) {
      for (const { position, state } of listNodes())
        this.set({ chain: chainId, node: position }, Number(state === 'healthy'))
    }
  }
  registry.registerMetric(new Gauge({ ...nodeUp, labelNames: ['chain', 'node'], registers: [], collect }))
  return {
    observe({ operation, status, ms }) {
      // A batch is one request; its operations are told apart by usage.
      answers.add({ operation: operation.includes(',') ? 'batch' : operation, status, seconds: ms / 1000 })
    },
    render: () => registry.metrics(),
    mediaType: registry.contentType,
  }
}

export declare namespace createMetrics {
  type Parts = {
    readonly chains: readonly Chain[]
    readonly store: Pick<Store, 'isReachable' | 'usage'>
    readonly limiter: Pick<Limiter, 'state'>
  }
}

type OwnMetric = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'histogram'
  readonly list: (name: string) => readonly Sample[]
}

/** Adds a metric whose figures are kept by us: all that a registry asks of one is what it says when it is read. */
function register(registry: Registry, { list, ...metric }: OwnMetric): void {
  const get = async () => ({ ...metric, values: list(metric.name), aggregator: 'sum' })
  registry.registerMetric({ name: metric.name, get } as unknown as Metric)
}

type Reading<From> = { readonly help: string; readonly read: (from: From) => number }

const readings: Readonly<Record<string, Reading<createMetrics.Parts>>> = {
  agio_storage_up: {
    help: 'Whether the database of keys and usage can be reached',
    read: ({ store }) => Number(store.isReachable()),
  },
  agio_limits_shared: {
    help: 'Whether limits are counted in Redis',
    read: ({ limiter }) => Number(limiter.state() === 'shared'),
  },
  agio_usage_waiting_calls: {
    help: 'Calls that are counted and not yet written',
    read: ({ store }) => store.usage.countUnwritten(),
  },
}

const nodeUp = {
  name: 'agio_chain_node_up',
  help: 'Whether a node is asked, by its place in the order of preference: 0 after faults, behind others, on another chain',
}

const chainReadings: Readonly<Record<string, Reading<Chain>>> = {
  agio_chain_block_number: {
    help: 'The newest block that a node has told of',
    read: ({ headState }) => Number(headState().head?.number ?? 0),
  },
  agio_chain_confirmed_seconds: {
    help: 'Time since a node has last confirmed the newest block',
    read: ({ headState }) => (Date.now() - headState().confirmedAtMs) / 1000,
  },
}

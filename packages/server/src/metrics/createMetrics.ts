import type { Metrics } from '@agio/api'
import type { Chain } from '@agio/chain'
import type { Limiter, Store } from '@agio/store'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Counts answers, and tells how the parts of the service are when it is asked. */
export function createMetrics(parts: createMetrics.Parts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'agio_requests_total',
    help: 'Answered requests, by operation and status',
    labelNames: ['operation', 'status'] as const,
    registers,
  })
  const seconds = new Histogram({
    name: 'agio_request_duration_seconds',
    help: 'Time from a request to its answer, by operation',
    labelNames: ['operation'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 20],
    registers,
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
  return {
    observe({ operation, status, ms }) {
      // A batch is one request; its operations are told apart by usage.
      const label = operation.includes(',') ? 'batch' : operation
      requests.inc({ operation: label, status })
      seconds.observe({ operation: label }, ms / 1000)
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
    read: ({ store }) => store.usage.countWaiting(),
  },
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

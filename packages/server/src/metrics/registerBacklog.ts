import type { Store } from '@agio/store'
import type { Registry } from 'prom-client'
import { registerCounted, type Sample } from './registerCounted.ts'

type Backlog = Awaited<ReturnType<Store['readBacklog']>>

// One reading serves all metrics that Prometheus reads at a time.
const validMs = 1000

const metrics: readonly {
  readonly name: string
  readonly help: string
  readonly values: (backlog: Backlog) => Readonly<Record<string, number>>
}[] = [
  {
    name: 'agio_webhook_backlog',
    help: 'Undelivered webhook messages of all processes, by state: due if they may be sent now, waiting for a retry or for an earlier message. Absent while the database is unreachable',
    values: (backlog) => ({ due: backlog.dueMessages, waiting: backlog.waitingMessages }),
  },
  {
    name: 'agio_webhook_backlog_oldest_seconds',
    help: 'Age of the oldest undelivered webhook message, by state: due since it was due, waiting since its event. 0 without a message',
    values: (backlog) => ({ due: backlog.oldestDueSeconds, waiting: backlog.oldestWaitingSeconds }),
  },
  {
    name: 'agio_followed_transactions',
    help: 'Transactions that webhooks follow, of all processes, by state: waiting for the next observation, due, late if they have not been observed for over a minute since they were due',
    values: (backlog) => ({
      waiting: backlog.waitingTransactions,
      due: backlog.dueTransactions,
      late: backlog.lateTransactions,
    }),
  },
]

/** Registers the metrics of the queues of webhooks. Each process reports the queues of all processes, which share them. */
export function registerBacklog(registry: Registry, store: Pick<Store, 'readBacklog'>): void {
  let latest: { readonly atMs: number; readonly backlog: Promise<Backlog | undefined> } | undefined
  function read(): Promise<Backlog | undefined> {
    if (!latest || performance.now() - latest.atMs > validMs)
      latest = { atMs: performance.now(), backlog: store.readBacklog().catch(() => undefined) }
    return latest.backlog
  }
  for (const { name, help, values } of metrics) {
    async function list(): Promise<readonly Sample[]> {
      const backlog = await read()
      if (!backlog) return []
      return Object.entries(values(backlog)).map(([state, value]) => ({ labels: { state }, value }))
    }
    registerCounted(registry, { name, help, type: 'gauge', labelNames: ['state'], list })
  }
}

import process from 'node:process'
import { limitKinds, streamEnds, type Metrics } from '@agio/api'
import type { FinishedAttempt } from '@agio/store'
import { Counter, Gauge, Registry } from 'prom-client'
import { closedReasons, type trackConnections } from '../http/trackConnections.ts'

/** Creates the counters of what the parts of the service report as it occurs. All of them start at zero. */
export function createEventMetrics(registry: Registry): EventMetrics {
  const registers = [registry]
  const nodeRequests = new Counter({
    name: 'agio_node_requests_total',
    help: 'Node requests of calls by operation (batch for several), of streams (stream.transaction and stream.quote) and of webhooks (webhooks.look), by outcome: admitted, or for streams and webhooks refused by the budget of the key',
    labelNames: ['operation', 'outcome'],
    registers,
  })
  const streams = new Gauge({ name: 'agio_streams', help: 'Open streams of all keys', registers })
  // Deno.serve reports no connections. A metric that is always 0 would be false.
  const ofNode = process.versions['deno'] === undefined ? registry : new Registry()
  const connections = new Gauge({
    name: 'agio_connections',
    help: 'Open connections of clients. Absent on Deno, whose server does not report connections',
    registers: [ofNode],
  })
  const count = createCounters(registry)
  const countOnNode = createCounters(ofNode)
  const observeStreamEnd = count('reason', streamEnds, {
    name: 'agio_streams_ended_total',
    help: 'Streams that ended, by reason: gone if the client disconnected, refused if the key may no longer read, stopping if the process stops, restored if a local stack returned to a snapshot',
  })
  const observeRefusal = count('limit', limitKinds, {
    name: 'agio_limit_refusals_total',
    help: 'Refusals by a limit, by kind: rate, burst and quota of a key; node-requests (its budget), polls (the part of the budget for streams and webhooks) and node-reads-in-flight; streams-of-key, and streams of the process; requests-in-progress of an address; without-key, admin-guesses, documents and console: requests of an address without a valid key',
  })
  const observeDelivery = count('outcome', outcomes, {
    name: 'agio_webhook_attempts_total',
    help: 'Attempts to deliver a webhook message, by outcome: delivered, retried, given-up, disabled if the attempt disabled the webhook, lost if another process has taken over the delivery',
  })
  const observeClosed = countOnNode('reason', closedReasons, {
    name: 'agio_connections_closed_total',
    help: 'Connections that the service closed because of a limit, by reason: idle-without-key and idle if a new connection replaced them, without and with a valid key before; all-busy if the new connection was refused, because no other was idle; pipelining above 16 waiting requests; unread-response if the client read nothing. Absent on Deno, whose server has no such limits',
  })
  return {
    observeNodeRequests: ({ operation, outcome, count }) => nodeRequests.inc({ operation, outcome }, count),
    observeStreams: (count) => streams.set(count),
    observeStreamEnd,
    observeRefusal,
    observeDelivery,
    connections: { observeClosed, observeOpen: (change) => connections.inc(change) },
  }
}

/** Counts what the parts of the service report. */
export type EventMetrics = Pick<
  Metrics,
  'observeNodeRequests' | 'observeStreams' | 'observeStreamEnd' | 'observeRefusal'
> & {
  /** Counts an attempt to deliver a webhook message. */
  readonly observeDelivery: (finished: FinishedAttempt) => void
  /** Counts the connections of the server. */
  readonly connections: Required<Pick<trackConnections.Options, 'observeClosed' | 'observeOpen'>>
}

const outcomes = ['delivered', 'retried', 'given-up', 'disabled', 'lost'] as const satisfies readonly FinishedAttempt[]

/** Returns a function that creates a counter with one label of known values. That function returns the counter's increment. */
function createCounters(registry: Registry) {
  return <Value extends string>(
    label: string,
    values: readonly Value[],
    metric: { readonly name: string; readonly help: string },
  ): ((value: Value) => void) => {
    const counter = new Counter({ ...metric, labelNames: [label], registers: [registry] })
    for (const value of values) counter.inc({ [label]: value }, 0)
    return (value) => counter.inc({ [label]: value })
  }
}

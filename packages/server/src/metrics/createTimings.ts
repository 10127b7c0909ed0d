import { findNodeFailure, nodeFailures, type ObserveNodeRequest } from '@agio/chain'
import type { Network } from '@agio/core'
import type { ObserveCommand, ObserveQuery } from '@agio/store'
import { Counter, Histogram, type Registry } from 'prom-client'

// The upper bounds of the buckets, in seconds.
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

// The methods that the service sends. Another method counts as `other`, so that the number of labels is bounded.
const nodeMethods = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_sendRawTransaction',
  'eth_subscribe',
])

/** Creates the metrics of the time that nodes, the database and Redis take. */
export function createTimings(registry: Registry): Timings {
  const registers = [registry]
  const nodes = new Histogram({
    name: 'agio_node_request_duration_seconds',
    help: 'Time from a request to a node to its response, by chain, by the position of the node in RPC_URL_<chain>, and by JSON-RPC method',
    labelNames: ['chain', 'node', 'method'],
    buckets,
    registers,
  })
  const failures = new Counter({
    name: 'agio_node_request_failures_total',
    help: 'Requests that a node failed to answer, by chain, node, JSON-RPC method and reason: timeout, unavailable if the node could not be reached or limits the rate, error if it returned an error or an invalid response. A call that reverts is not a failure',
    labelNames: ['chain', 'node', 'method', 'reason'],
    registers,
  })
  const statements = new Histogram({
    name: 'agio_database_duration_seconds',
    help: 'Time of a statement or a transaction of the database, with the wait for a connection, by kind (query or transaction) and outcome (ok or failed)',
    labelNames: ['kind', 'outcome'],
    buckets,
    registers,
  })
  const commands = new Histogram({
    name: 'agio_redis_duration_seconds',
    help: 'Time of a command of Redis, by command (admit, hold or release) and outcome (ok or failed)',
    labelNames: ['command', 'outcome'],
    buckets,
    registers,
  })
  const observed = new Set<string>()
  /** Starts the counters of a node and method at zero, so that the first failure is an increase. */
  function begin(labels: Record<'chain' | 'node' | 'method', string>): void {
    const id = Object.values(labels).join(' ')
    if (observed.has(id)) return
    observed.add(id)
    for (const reason of nodeFailures) failures.inc({ ...labels, reason }, 0)
  }
  return {
    async observeNodeRequest({ chainId, position, method }, send) {
      const known = nodeMethods.has(method) ? method : 'other'
      const labels = { chain: String(chainId), node: String(position), method: known }
      begin(labels)
      const stop = nodes.startTimer(labels)
      try {
        return await send()
      } catch (error) {
        const reason = findNodeFailure(error, method)
        if (reason) failures.inc({ ...labels, reason })
        throw error
      } finally {
        stop()
      }
    },
    observeQuery: (kind, run) => time(statements, { kind }, run),
    observeCommand: (command, run) => time(commands, { command }, run),
  }
}

/** Observes the requests to nodes, the database and Redis. */
export type Timings = {
  observeNodeRequest(
    request: Parameters<ObserveNodeRequest>[0] & { readonly chainId: Network.ChainId },
    send: () => Promise<unknown>,
  ): Promise<unknown>
  readonly observeQuery: ObserveQuery
  readonly observeCommand: ObserveCommand
}

async function time<Result, Label extends string>(
  histogram: Histogram<Label | 'outcome'>,
  labels: Partial<Record<Label | 'outcome', string>>,
  run: () => Promise<Result>,
): Promise<Result> {
  const stop = histogram.startTimer(labels)
  try {
    const result = await run()
    stop({ outcome: 'ok' } as typeof labels)
    return result
  } catch (error) {
    stop({ outcome: 'failed' } as typeof labels)
    throw error
  }
}

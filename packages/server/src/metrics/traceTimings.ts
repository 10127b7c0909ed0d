import { findNodeFailure } from '@agio/chain'
import type { Tracer } from '../tracing/Tracer.ts'
import type { Timings } from './createTimings.ts'

/** Returns observers that also write a span for each request to a node, the database or Redis that a traced request causes. */
export function traceTimings(timings: Timings, { inSpan }: Pick<Tracer, 'inSpan'>): Timings {
  return {
    observeNodeRequest(request, send) {
      const { chainId, position, method } = request
      const options = {
        name: `node ${method}`,
        attributes: {
          'rpc.system': 'jsonrpc',
          'rpc.method': method,
          'agio.chain_id': chainId,
          'agio.node_position': position,
        },
        findFailure: (error: unknown) => findNodeFailure(error, method),
      }
      return timings.observeNodeRequest(request, () => inSpan(options, send))
    },
    observeQuery(kind, run) {
      const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': kind }
      return timings.observeQuery(kind, () => inSpan({ name: `database ${kind}`, attributes }, run))
    },
    observeCommand(command, run) {
      const attributes = { 'db.system.name': 'redis', 'db.operation.name': command }
      return timings.observeCommand(command, () => inSpan({ name: `redis ${command}`, attributes }, run))
    },
  }
}

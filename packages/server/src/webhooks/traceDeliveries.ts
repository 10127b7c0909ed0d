import { isObject } from '@agio/core'
import type { Tracer } from '../tracing/Tracer.ts'
import type { Sender, SendResult } from './createSender.ts'

/** Returns a sender that records each attempt as a trace. Without a tracer, returns the sender itself. */
export function traceDeliveries(send: Sender, tracer: Pick<Tracer, 'inTrace'> | undefined): Sender {
  if (!tracer) return send
  return (message, stopped) => {
    const attributes = { 'agio.message_id': message.id, 'agio.transaction_hash': findHash(message.payload) }
    const span = { name: 'webhook delivery', attributes, describe, cause: message.traceparent ?? null }
    return tracer.inTrace(span, () => send(message, stopped))
  }
}

function describe(result: SendResult) {
  const { outcome } = result
  return {
    'agio.outcome': outcome,
    'http.response.status_code': 'status' in result ? result.status : undefined,
    'error.type': outcome === 'failed' ? result.error : undefined,
  }
}

/** Returns the transaction that a message is about; undefined for a market. */
function findHash(payload: string): string | undefined {
  const { data } = JSON.parse(payload) as { readonly data?: unknown }
  const hash = isObject(data) ? data['transactionHash'] : undefined
  return typeof hash === 'string' ? hash : undefined
}

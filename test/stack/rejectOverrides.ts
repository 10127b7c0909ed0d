import { answerEachCall, type NodeCall } from './answerEachCall.ts'
import type { Answer } from './startProxy.ts'

/** Behaves like a node whose `eth_call` and `eth_estimateGas` reject state overrides. */
export function rejectOverrides(nodeUrl: string): Answer {
  const error = { code: -32602, message: 'too many arguments' }
  return answerEachCall(nodeUrl, async (call, callNode) =>
    hasOverrides(call) ? { id: call.id, error } : await callNode(call),
  )
}

function hasOverrides({ method, params = [] }: NodeCall): boolean {
  return (method === 'eth_call' || method === 'eth_estimateGas') && params.length > 2
}

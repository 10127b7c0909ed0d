import { Async } from '@agio/core'
import { answerEachCall, type NodeCall, type NodeReply } from './answerEachCall.ts'
import type { Answer } from './startProxy.ts'

type Overrides = Readonly<Record<string, { readonly stateDiff?: Readonly<Record<string, string>> }>>

/** Behaves like the nodes of real networks, whose `eth_estimateGas` accepts overrides, by writing and restoring storage. */
export function applyOverrides(nodeUrl: string): Answer {
  const lock = Async.createMutex()
  return answerEachCall(nodeUrl, async (call, callNode) => await lock(() => answer(call, callNode)))
}

// The storage of one estimate must not leak into another.
async function answer(call: NodeCall, callNode: (call: NodeCall) => Promise<NodeReply>): Promise<NodeReply> {
  const [transaction, , overrides] = call.params ?? []
  if (call.method !== 'eth_estimateGas' || !overrides) return await callNode(call)
  const run = async (method: string, ...params: readonly unknown[]) =>
    (await callNode({ id: 1, method, params })).result
  const snapshot = await run('evm_snapshot')
  for (const [address, { stateDiff = {} }] of Object.entries(overrides as Overrides)) {
    for (const [slot, value] of Object.entries(stateDiff)) {
      await run('hardhat_setStorageAt', address, toQuantity(slot), value)
    }
  }
  const estimated: NodeReply = await callNode({ ...call, params: [transaction] } satisfies NodeCall)
  await run('evm_revert', snapshot)
  return estimated
}

function toQuantity(slot: string): string {
  return `0x${BigInt(slot).toString(16)}`
}

/** Behaves like a node that accepts state overrides for some methods, and ignores them. */
export function ignoreOverrides(nodeUrl: string, ...methods: readonly string[]): Answer {
  return answerEachCall(nodeUrl, async ({ params = [], ...call }, callNode) => {
    return await callNode({ ...call, params: methods.includes(call.method) ? params.slice(0, 2) : params })
  })
}

/** Hides the storage of tokens: behaves like a node with tokens whose slots no search finds. Code can be placed. */
export function hideStorage(nodeUrl: string): Answer {
  return answerEachCall(nodeUrl, async ({ params = [], ...call }, callNode) => {
    const [request, block, overrides = {}] = params
    if (call.method !== 'eth_call') return await callNode({ ...call, params })
    const placed = Object.entries(overrides as Readonly<Record<string, { readonly code?: string }>>)
    const codes = placed.flatMap(([address, { code }]) => (code === undefined ? [] : [[address, { code }]]))
    return await callNode({ ...call, params: [request, block, Object.fromEntries(codes)] })
  })
}

/** Behaves like a node that rejects state overrides for some methods: calls and estimates by default. */
export function rejectOverrides(nodeUrl: string, methods = ['eth_call', 'eth_estimateGas']): Answer {
  const error = { code: -32602, message: 'too many arguments' }
  return answerEachCall(nodeUrl, async (call, callNode) => {
    const hasOverrides = methods.includes(call.method) && (call.params?.length ?? 0) > 2
    return hasOverrides ? { id: call.id, error } : await callNode(call)
  })
}

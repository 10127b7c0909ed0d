import { Errors } from '@agio/core'
import { RpcRequestError } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { UnprovenError } from '../proof/ProvenRead.ts'
import { type Fault, createNodeCircuit } from './createNodeCircuit.ts'
import { createProbing } from './createProbing.ts'
import type { NodeReport, NodeStatus, TimedRequest } from './UpstreamNode.ts'

// A time-out weighs more than other faults, because the caller has waited for seconds. So does a response beyond a bound,
// because each one takes memory.
const costlyWeight = 2

// A node is used again within five seconds of its recovery, after any kind of fault. A wrong chain id rarely changes, so
// it is probed less often.
const backoffs = {
  unavailable: { firstMs: 500, maxMs: 4000 },
  lagging: { firstMs: 500, maxMs: 4000 },
  unproven: { firstMs: 500, maxMs: 4000 },
  'wrong-chain': { firstMs: 5000, maxMs: 30_000 },
} as const

/** Tracks the health of a node. It counts the faults of requests, and probes the node while it is not healthy. */
export function createNodeHealth(dependencies: createNodeHealth.Dependencies) {
  const { position, check, onFault } = dependencies
  const circuit = createNodeCircuit({ ...dependencies, onChange })
  const probing = createProbing({ ...dependencies, probe })
  let isStopped = false

  function onChange({ state, failure, servedChainId }: NodeStatus): void {
    probing.stop()
    if (state !== 'healthy' && !isStopped) probing.start(backoffs[state])
    const words = findWords(failure)
    dependencies.onState({ position, state, code: failure?.code, servedChainId, ...(words !== undefined && { words }) })
  }
  async function probe(): Promise<void> {
    const conclude = circuit.beginProbe()
    conclude(await check().catch((error: unknown) => ({ state: 'unavailable', failure: toUpstreamError(error) })))
  }
  function recordFault(error: unknown, fault: Fault): void {
    onFault()
    if (error instanceof UnprovenError) circuit.recordUnproven('result', toUpstreamError(error), fault)
    else circuit.recordFault(toUpstreamError(error), fault)
  }
  return {
    ...circuit,
    reset() {
      probing.reset()
      circuit.reset()
    },
    /** Counts a read that another node, which was asked later, has answered first. */
    recordOvertaken(): void {
      const failure = Errors.upstreamTimeout({ action: 'read the chain', reason: 'its node answers slowly' })
      recordFault(failure, { startedAtMs: performance.now(), weight: costlyWeight })
    },
    /** Returns the result of a request, and counts its success or fault. @throws the error of the request */
    async observe<Result>({ request, startedAtMs }: TimedRequest, pending: Promise<Result>): Promise<Result> {
      try {
        const result = await pending
        circuit.recordSuccess()
        return result
      } catch (error) {
        const { isFault, isTimeout, isOversized } = classifyError(error, request.method)
        if (!isFault) circuit.recordSuccess()
        else if (circuit.status().state !== 'wrong-chain')
          recordFault(error, { startedAtMs, weight: isTimeout || isOversized ? costlyWeight : 1 })
        throw error
      }
    },
    /** Stops the probing. */
    stop(): void {
      isStopped = true
      probing.stop()
    },
  }
}

export declare namespace createNodeHealth {
  type Dependencies = Omit<createProbing.Dependencies, 'probe'> & {
    /** The node's place in the order of preference, from 1. */
    readonly position: number
    /** Probes the node once. */
    readonly check: () => Promise<NodeStatus>
    /** Called after each fault of a request. */
    readonly onFault: () => void
    /** Called after each change of the state. */
    readonly onState: (report: NodeReport) => void
  }
}

/** The health of one node, which its requests and probes update. */
export type NodeHealth = ReturnType<typeof createNodeHealth>

/** Returns the words of the JSON-RPC error in an error, without the URLs that a node quotes. */
function findWords(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof RpcRequestError ? error.details.replaceAll(/\S+:\/\/\S+/g, '…') : findWords(error.cause)
}

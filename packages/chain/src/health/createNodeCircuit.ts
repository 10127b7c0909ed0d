import type { ServiceError } from '@agio/core'
import type { NodeState, NodeStatus } from './UpstreamNode.ts'

// A node without a substitute stays in use until it has surely failed: after five failed requests in a row, or three
// time-outs. If another node can take over, ejecting this node costs nothing. It is probed half a second later.
const limitAlone = 5
const limitWithSubstitute = 2

/** The states of usable nodes, in order of preference. */
export const usableStates: readonly NodeState[] = ['healthy', 'lagging', 'unproven']

/** Creates the state machine of a node. Faults make a healthy node unavailable, and probes determine its next state. */
export function createNodeCircuit({ hasSubstitute, onChange }: createNodeCircuit.Dependencies) {
  const getLimit = () => (hasSubstitute() ? limitWithSubstitute : limitAlone)
  const breaker = createBreaker(getLimit)
  // Unproven results and unreadable heads have their own breakers, since other requests succeed in between.
  const unproven = { result: createBreaker(getLimit), head: createBreaker(getLimit) }
  let status: NodeStatus = { state: 'healthy' }
  let generation = 0
  // An unproven node that becomes unavailable in between has not proven anything.
  let mustProve = false

  const isUsable = () => usableStates.includes(status.state)

  function set(next: NodeStatus): void {
    const hasChanged = next.state !== status.state
    status = next
    if (next.state === 'unproven') mustProve = true
    if (next.state === 'healthy') mustProve = false
    if (!hasChanged) return
    for (const each of [breaker, unproven.result, unproven.head]) each.clear()
    onChange(next)
  }
  return {
    status: () => status,
    isUsable,
    /** Returns whether the node was unproven and has not been healthy since. Only a probe with a proof makes it healthy. */
    mustProve: () => mustProve,
    set,
    recordSuccess: breaker.clear,
    /** Resets the count of unproven results, or of unreadable heads. */
    recordProven: (what: keyof typeof unproven): void => void unproven[what].clear(),
    /** Counts a fault. Too many in a row open the circuit. */
    recordFault(failure: ServiceError, fault: Fault): void {
      if (breaker.add(fault) && isUsable()) set({ state: 'unavailable', failure })
    },
    /**
     * Counts a result that the called code cannot return, or a head that no node could read or that another node contradicts.
     * Too many in a row make the node unproven.
     */
    recordUnproven(what: keyof typeof unproven, failure: ServiceError, fault: Fault): void {
      if (unproven[what].add(fault) && isUsable()) set({ state: 'unproven', failure })
    },
    /** Begins a probe. @returns a function that takes its result, which is ignored after a `reset` */
    beginProbe(): (found: NodeStatus) => void {
      const [probedGeneration, isProof] = [generation, mustProve]
      return (found) => {
        // A node that served another chain keeps the status `wrong-chain` while it does not answer.
        const remainsWrongChain = status.state === 'wrong-chain' && found.state === 'unavailable'
        const lacksProof = mustProve && !isProof
        if (generation === probedGeneration && !remainsWrongChain && !lacksProof) set(found)
      }
    },
    /** Resets the node to healthy from any state. */
    reset(): void {
      generation += 1
      for (const each of [breaker, unproven.result, unproven.head]) each.clear()
      set({ state: 'healthy' })
    },
  }
}

export declare namespace createNodeCircuit {
  type Dependencies = {
    /** Returns whether another node can be used instead. */
    readonly hasSubstitute: () => boolean
    /** Called after each change of the state. */
    readonly onChange: (status: NodeStatus) => void
  }
}

/** Creates a breaker that counts consecutive faults of a node, and opens at the weight that `getLimit` returns. */
function createBreaker(getLimit: () => number) {
  let weight = 0
  let countedAtMs = -Infinity
  return {
    /** Counts a fault. @returns whether this opens the breaker */
    add(fault: Fault): boolean {
      // Requests that are in flight together, such as a batch or a burst, fail together for one reason. They count
      // once.
      if (fault.startedAtMs < countedAtMs) return false
      countedAtMs = performance.now()
      weight += fault.weight
      return weight >= getLimit()
    },
    /** Resets the count, after a successful request. */
    clear: () => (weight = 0),
  }
}

/** When the failed request was sent, and how much its fault weighs. */
export type Fault = { readonly startedAtMs: number; readonly weight: number }

import { Errors, Tier, type Client } from '@agio/core'
import type { NodeUse } from '../http/NodeUse.ts'
import type { BudgetKey, NodeBudgets } from './createNodeBudgets.ts'

// As long as a read of a node may take.
const maxWaitMs = 10_000

/**
 * Creates the turns of the reads of nodes, by key: a number of reads in flight, and further reads start in their order. So
 * the calls of one key do not hold all connections to a slow node. Each process has its own turns.
 */
export function createNodeTurns({ assertLeft }: createNodeTurns.Dependencies): NodeTurns {
  const keys = new Map<string, KeyTurns>()

  function leave(id: string, turns: KeyTurns): void {
    const [next] = turns.waiting
    // A waiting read takes over the place.
    if (next) {
      turns.waiting.delete(next)
      next()
      return
    }
    turns.inFlight -= 1
    if (turns.inFlight === 0) keys.delete(id)
  }
  async function enter(turns: KeyTurns, limit: number): Promise<void> {
    const { promise: started, resolve: start, reject } = Promise.withResolvers<void>()
    turns.waiting.add(start)
    const timer = setTimeout(() => {
      turns.waiting.delete(start)
      reject(Errors.rateLimited({ reason: `limit of ${limit} node requests in flight reached`, waitMs: 1000 }))
    }, maxWaitMs)
    await started.finally(() => clearTimeout(timer))
  }
  async function waitForTurn(turns: KeyTurns, limit: number, use: NodeUse): Promise<void> {
    use.startWaiting()
    await enter(turns, limit).finally(() => use.endWaiting())
  }
  return {
    inTurnOf(key, use) {
      const { id, tier, limits } = key
      const limit = Tier.maxReadsInFlight(tier, limits)
      return async (read) => {
        if (!use.hasRead) assertLeft(key)
        const turns = keys.get(id) ?? { inFlight: 0, waiting: new Set() }
        keys.set(id, turns)
        // A read that need not wait starts at once, so that reads of one tick form one batch.
        if (turns.inFlight < limit) turns.inFlight += 1
        else await waitForTurn(turns, limit, use)
        use.startRead()
        try {
          return await read()
        } finally {
          use.endRead()
          leave(id, turns)
        }
      }
    },
  }
}

export declare namespace createNodeTurns {
  type Dependencies = Pick<NodeBudgets, 'assertLeft'>
}

/** The turns of the reads of all keys. */
export type NodeTurns = {
  /**
   * Returns the function that makes the reads of a key in turn, and measures them as the use of a request. It throws
   * `svc/rate-limited` if the key has used up its budget before the first read of the request, or if a read has waited for as
   * long as a read may take.
   */
  inTurnOf(key: BudgetKey, use: NodeUse): Client.InTurn
}

type KeyTurns = {
  inFlight: number
  /** The starts of the reads that wait, in the order of their calls. */
  readonly waiting: Set<() => void>
}

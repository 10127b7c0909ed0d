import { Async, Errors, Tier, type Client } from '@agio/core'
import type { NodeUse } from '../http/NodeUse.ts'
import type { Metrics } from '../settings/AppSettings.ts'
import type { BudgetKey, NodeBudgets } from './createNodeBudgets.ts'

// As long as a read of a node may take.
const maxWaitMs = 10_000

/**
 * Creates the slots of the reads of nodes, by key: a number of reads in flight, and further reads start in their order. So
 * the calls of one key do not hold all connections to a slow node. Each process has its own slots.
 */
export function createNodeSlots({ assertLeft, observeRefusal }: Dependencies) {
  const run = Async.createSlots<string>()
  return {
    /**
     * Returns the function that makes the reads of a key in its slots, and measures them as the use of a request. It throws
     * `svc/rate-limited` if the key has used up its budget before the first read of the request, or if a read has waited for as
     * long as a read may take.
     */
    inSlotOf(key: BudgetKey, use: NodeUse): Client.InSlot {
      const { id, tier, limits } = key
      const limit = Tier.maxReadsInFlight(tier, limits)
      const toError = () => {
        observeRefusal('node-reads-in-flight')
        return Errors.rateLimited({ reason: `limit of ${limit} node requests in flight reached`, waitMs: 1000 })
      }
      async function wait(started: Promise<void>): Promise<void> {
        use.startWaiting()
        await Async.withTimeLimit(maxWaitMs, started, toError).finally(() => use.endWaiting())
      }
      return async (read) => {
        if (!use.hasRead) assertLeft(key)
        const measured = async () => {
          use.startRead()
          return await read().finally(() => use.endRead())
        }
        // A read that need not wait starts at once, so that reads of one tick form one batch.
        return await run(id, measured, { limit, wait })
      }
    },
  }
}

type Dependencies = Pick<NodeBudgets, 'assertLeft'> & Pick<Metrics, 'observeRefusal'>

/** The slots of the reads of all keys. */
export type NodeSlots = ReturnType<typeof createNodeSlots>

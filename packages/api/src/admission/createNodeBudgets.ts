import { Errors, Tier } from '@agio/core'
import type { ApiKey, Window, WindowState } from '@agio/store'
import type { AppSettings } from '../settings/AppSettings.ts'

/**
 * Creates the budgets of node requests. Calls are charged once they have ended, so their use may exceed the budget by what is in
 * flight. Polls of streams and webhooks are charged in advance, and leave the part of the budget that is reserved for calls.
 */
export function createNodeBudgets({ limiter, metrics }: Dependencies) {
  return {
    /** Returns the budget of a key and what is used of it, from memory; undefined for a tier without limits. */
    find(key: BudgetKey) {
      const found = findNodeWindow(key)
      if (!found) return undefined
      const { used, endsInMs } = limiter.getWindowState(subjectOf(key), found.window)
      const { limit, windowSeconds } = found.budget
      return { limit, used: Math.min(used, limit), windowSeconds, resetSeconds: Math.ceil(endsInMs / 1000) }
    },
    /**
     * Charges a poll of a stream or a webhook.
     *
     * @param count the node requests. Default: those of a poll of a transaction
     * @throws `svc/rate-limited` if the key has used up its budget for polls
     */
    async chargePoll(key: BudgetKey, operation: string, count: number = Tier.observationNodeRequests) {
      const found = findNodeWindow(key)
      if (found) {
        const { window, budget } = found
        const limit = budget.limit - budget.reserved
        const { isAdmitted, states } = await limiter.admit(subjectOf(key), [{ ...window, limit }], count)
        if (!isAdmitted) {
          metrics.observeNodeRequests({ operation, outcome: 'refused', count })
          metrics.observeRefusal('polls')
          const { endsInMs } = states[0] as WindowState
          const reason = `budget of ${limit} node requests per ${budget.windowSeconds} seconds for streams and webhooks used up`
          throw Errors.rateLimited({ reason, waitMs: endsInMs })
        }
      }
      metrics.observeNodeRequests({ operation, outcome: 'admitted', count })
    },
    /** @throws `svc/rate-limited` if the key has used up its budget, as far as this process knows */
    assertLeft(key: BudgetKey): void {
      const found = findNodeWindow(key)
      if (!found) return
      const { limit, windowSeconds } = found.budget
      const { used, endsInMs } = limiter.getWindowState(subjectOf(key), found.window)
      if (used < limit) return
      metrics.observeRefusal('node-requests')
      const reason = `budget of ${limit} node requests per ${windowSeconds} seconds used up`
      throw Errors.rateLimited({ reason, waitMs: endsInMs })
    },
    /**
     * Charges the node requests of calls that have ended.
     *
     * @param operation the operations of the request, joined by commas
     */
    async charge(key: BudgetKey, operation: string, count: number): Promise<void> {
      if (count === 0) return
      const found = findNodeWindow(key)
      if (found) await limiter.admit(subjectOf(key), [{ ...found.window, limit: Number.MAX_SAFE_INTEGER }], count)
      metrics.observeNodeRequests({
        operation: operation.includes(',') ? 'batch' : operation,
        outcome: 'admitted',
        count,
      })
    },
  }
}

type Dependencies = Pick<AppSettings, 'limiter' | 'metrics'>

/** The budgets of node requests of all keys. */
export type NodeBudgets = ReturnType<typeof createNodeBudgets>

/** The part of a key that its budget depends on. */
export type BudgetKey = Pick<ApiKey, 'id' | 'tier' | 'limits'>

/** Returns the owner of the windows of a key. */
export function subjectOf({ id }: Pick<ApiKey, 'id'>): string {
  return `key:${id}`
}

/** Returns the window of the node requests of a key; undefined for a tier without limits. */
export function findNodeWindow({ tier, limits: own }: Omit<BudgetKey, 'id'>) {
  const limits = Tier.findLimits(tier, own)
  if (!limits) return undefined
  const budget = Tier.toNodeBudget(limits)
  const window: Window = { name: 'nodes', limit: budget.limit, lengthMs: budget.windowSeconds * 1000 }
  return { window, budget }
}

import { Errors, Tier } from '@agio/core'
import type { ApiKey, Window, WindowState } from '@agio/store'
import type { Context } from '../procedure/Context.ts'
import type { AppSettings } from '../settings/AppSettings.ts'

/**
 * Creates the budgets of node requests. Calls are charged together with their other limits, by `createKeyLimiter`.
 * Looks of streams and webhooks are charged here, and leave the part of the budget that is reserved for calls. What a call reads
 * beyond its declared cost is charged here too.
 */
export function createNodeBudgets({ limiter, metrics }: createNodeBudgets.Dependencies): NodeBudgets {
  return {
    find(key) {
      const found = findNodeWindow(key)
      if (!found) return undefined
      const { used, endsInMs } = limiter.getWindowState(subjectOf(key), found.window)
      const { limit, windowSeconds } = found.budget
      return { limit, used: Math.min(used, limit), windowSeconds, resetSeconds: Math.ceil(endsInMs / 1000) }
    },
    async chargeLook(key, operation, count = Tier.observationNodeRequests) {
      const found = findNodeWindow(key)
      if (found) {
        const { window, budget } = found
        const limit = budget.limit - budget.reserved
        const { isAdmitted, states } = await limiter.admit(subjectOf(key), [{ ...window, limit }], [count])
        if (!isAdmitted) {
          metrics.observeNodeRequests({ operation, outcome: 'refused', count })
          const { endsInMs } = states[0] as WindowState
          const reason = `budget of ${limit} node requests per ${budget.windowSeconds} seconds for streams and webhooks used up`
          throw Errors.rateLimited({ reason, waitMs: endsInMs })
        }
      }
      metrics.observeNodeRequests({ operation, outcome: 'admitted', count })
    },
    async chargeExcess(key, count) {
      const found = findNodeWindow(key)
      // If the window has no room for all of them, none is charged.
      if (found) await limiter.admit(subjectOf(key), [found.window], [count])
      metrics.observeNodeRequests({ operation: excessOperation, outcome: 'admitted', count })
    },
  }
}

// Metrics count node requests beyond the declared cost as this operation.
const excessOperation = 'undeclared'

export declare namespace createNodeBudgets {
  type Dependencies = Pick<AppSettings, 'limiter' | 'metrics'>
}

/** The budgets of node requests of all keys. */
export type NodeBudgets = {
  /** Returns the budget of a key and what is used of it, from memory; undefined for a tier without limits. */
  readonly find: Context['findNodeBudget']
  /**
   * Charges a look of a stream or a webhook.
   *
   * @param count the node requests. Default: those of a look at a transaction
   * @throws `svc/rate-limited` if the key has used up its budget for looks
   */
  chargeLook(key: BudgetKey, operation: string, count?: number): Promise<void>
  /** Charges the node requests of a call beyond its declared cost, once they are known. The call has ended, so it is not refused. */
  chargeExcess(key: BudgetKey, count: number): Promise<void>
}

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

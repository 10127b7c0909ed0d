import { Errors, Month, Tier, type ServiceError } from '@agio/core'
import type { Admission, ApiKey, Window, WindowState } from '@agio/store'
import type { AppSettings, Metrics } from '../settings/AppSettings.ts'
import type { RateLimit } from '../http/respond.ts'
import { AdmissionError } from './Caller.ts'
import { findNodeWindow, subjectOf } from './createNodeBudgets.ts'

// How long quotas are skipped after their usage could not be read.
const quotaRetryMs = 5000

/** Creates the limiter of API keys: the rate and the burst of the key's tier, and its quota where quotas are enforced. */
export function createKeyLimiter(settings: Dependencies) {
  const { store, limiter, metrics, log, now = Date.now } = settings
  const toRefusal = createRefusals(metrics)
  let quotasSkippedUntilMs = 0
  const getBudget = createBudgets(settings)

  function admit(budget: KeyBudget, key: ApiKey, calls: number): Admission | Promise<Admission> {
    const { subject, rates } = budget
    const admitTo = (windows: readonly Window[]) => limiter.admit(subject, windows, calls)
    const admission = admitTo(now() < quotasSkippedUntilMs ? rates : budget.windows)
    if (!(admission instanceof Promise)) return admission
    return admission.catch((error: unknown) => {
      skipQuotas(key, error)
      return admitTo(rates)
    })
  }
  // Keys keep working while the database is unavailable, although the rest of their quota is unknown.
  function skipQuotas(key: ApiKey, error: unknown): void {
    quotasSkippedUntilMs = now() + quotaRetryMs
    log.error({ err: error, keyId: key.id }, 'quota not enforced: its usage cannot be read')
  }
  function admitCalls(key: ApiKey, operations: readonly string[]) {
    const budget = getBudget(key)
    if (!budget) return undefined
    const decide = ({ isAdmitted, states }: Admission): RateLimit => {
      const nodes = limiter.getWindowState(budget.subject, budget.nodes)
      const rateLimit = { policy: budget.policy, state: formatRateLimit(budget.listed, [states[0], states[1], nodes]) }
      if (!isAdmitted) {
        for (const operation of operations) store.usage.refuse(key.id, operation)
        throw new AdmissionError(toRefusal(budget, states, operations.length), { keyId: key.id, rateLimit })
      }
      return rateLimit
    }
    const admission = admit(budget, key, operations.length)
    return admission instanceof Promise ? admission.then(decide) : decide(admission)
  }
  return {
    /**
     * Admits all operations of a request or none. Returns the remaining calls of the key; undefined for a tier without limits.
     *
     * @throws an `AdmissionError` with one of these causes: `svc/rate-limited`; `svc/quota-exceeded`; `svc/invalid-request` for a
     * batch that exceeds a limit by itself
     */
    admit: admitCalls,
    /**
     * Asserts that the rate of a key is not used up, as far as this process knows, without counting a call.
     *
     * @throws an `AdmissionError` with `svc/rate-limited` as its cause
     */
    assertRoom(key: ApiKey): void {
      const budget = getBudget(key)
      if (!budget) return
      const states = budget.rates.map((window) => limiter.getWindowState(budget.subject, window))
      if (budget.rates.every(({ limit }, index) => (states[index]?.used ?? 0) < limit)) return
      throw new AdmissionError(toRefusal(budget, states, 1), { keyId: key.id })
    },
    /**
     * Counts the events of a stream toward the quota of its key, not toward its rate.
     *
     * @throws `svc/quota-exceeded`
     */
    async charge(key: ApiKey, operation: string): Promise<void> {
      const budget = getBudget(key)
      if (budget && settings.areQuotasEnforced && now() >= quotasSkippedUntilMs) {
        const { subject, quota } = budget
        const admission = await Promise.resolve(limiter.admit(subject, [quota])).catch((error: unknown) => {
          skipQuotas(key, error)
          return undefined
        })
        if (admission?.isAdmitted === false) {
          store.usage.refuse(key.id, operation)
          metrics.observeRefusal('quota')
          const { endsInMs } = admission.states[0] as WindowState
          throw Errors.quotaExceeded({ limit: quota.limit, waitMs: endsInMs })
        }
      }
      store.usage.count(key.id, operation)
    },
  }
}

type Dependencies = Pick<AppSettings, 'store' | 'limiter' | 'metrics' | 'areQuotasEnforced' | 'log' | 'now'>

/** Applies the limits of API keys. */
export type KeyLimiter = ReturnType<typeof createKeyLimiter>

/** The limits of a key in the current month. */
type KeyBudget = {
  /** The owner of the windows. */
  readonly subject: string
  readonly rates: readonly Window[]
  readonly quota: Window
  /** The windows that limit every request: the rates, and the quota where quotas are enforced. */
  readonly windows: readonly Window[]
  /** The window of node requests. */
  readonly nodes: Window
  /** The windows in the headers: the rates and the node requests. */
  readonly listed: readonly Window[]
  /** The listed windows, as `RateLimit-Policy`. */
  readonly policy: string
  /** The end of the month. */
  readonly endsAtMs: number
}

/** Returns a function that finds the current budget of a key. It returns undefined for a tier without limits. */
function createBudgets({ store, areQuotasEnforced, now = Date.now }: BudgetDependencies) {
  // The store returns the same object for as long as it keeps a key in memory.
  const budgets = new WeakMap<ApiKey, KeyBudget>()

  function createBudget(key: ApiKey, limits: Tier.Limits, nodes: Window): KeyBudget {
    const month = Month.at(now())
    const endsAtMs = Month.endMs(month)
    const rates = toRates(key, limits)
    const quota: Window = {
      name: `quota-${month}`,
      limit: limits.monthlyQuota,
      get lengthMs() {
        return endsAtMs - now()
      },
      readUsed: () => store.usage.readCalls(key.id, month),
    }
    const listed = [...rates, nodes]
    return {
      subject: subjectOf(key),
      rates,
      nodes,
      listed,
      windows: areQuotasEnforced ? [...rates, quota] : rates,
      quota,
      policy: formatPolicy(listed),
      endsAtMs,
    }
  }
  return (key: ApiKey): KeyBudget | undefined => {
    const current = budgets.get(key)
    if (current && now() < current.endsAtMs) return current
    const limits = Tier.findLimits(key.tier, key.limits)
    const nodes = findNodeWindow(key)
    if (!limits || !nodes) return undefined
    const budget = createBudget(key, limits, nodes.window)
    budgets.set(key, budget)
    return budget
  }
}

type BudgetDependencies = Pick<Dependencies, 'store' | 'areQuotasEnforced' | 'now'>

function toRates({ tier }: ApiKey, { requests, windowSeconds, burstPerSecond }: Tier.Limits): readonly Window[] {
  return [
    { name: tier, limit: requests, lengthMs: windowSeconds * 1000 },
    { name: 'burst', limit: burstPerSecond, lengthMs: 1000 },
  ]
}

/** Returns a function that returns the error for the full window that ends last, since a retry before its end would be refused again. */
function createRefusals({ observeRefusal }: Pick<Metrics, 'observeRefusal'>) {
  return (budget: KeyBudget, states: readonly WindowState[], calls: number): ServiceError => {
    const { rates, quota } = budget
    // The quota may be skipped.
    const full = [...rates, quota].flatMap((window, index) => {
      const state = states[index]
      return state && state.used + calls > window.limit ? [{ window, endsInMs: state.endsInMs }] : []
    })
    const exceeded = full.find(({ window }) => rates.includes(window) && calls > window.limit)
    if (exceeded) return batchTooLarge(calls, exceeded.window)
    const { window, endsInMs } = full.toSorted((a, b) => b.endsInMs - a.endsInMs)[0] as (typeof full)[number]
    const limit = window === quota ? 'quota' : window === rates[0] ? 'rate' : 'burst'
    observeRefusal(limit)
    if (limit === 'quota') return Errors.quotaExceeded({ limit: window.limit, waitMs: endsInMs })
    const period = formatPeriod(window)
    return Errors.rateLimited({ reason: `limit of ${window.limit} calls per ${period} reached`, waitMs: endsInMs })
  }
}

function batchTooLarge(count: number, window: Window): ServiceError {
  const reason = `the key allows at most ${window.limit} calls per ${formatPeriod(window)}`
  return Errors.invalidRequest({ field: 'batch', value: count, action: `answer ${count} calls in one batch`, reason })
}

function formatPeriod({ lengthMs }: Window): string {
  const seconds = lengthMs / 1000
  return seconds === 1 ? 'second' : `${seconds} seconds`
}

/**
 * Formats the limits of a key as the header `RateLimit-Policy`.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
function formatPolicy(windows: readonly Window[]): string {
  return windows.map(({ name, limit, lengthMs }) => `"${name}";q=${limit};w=${toSeconds(lengthMs)}`).join(', ')
}

/** Formats the remaining calls of the limits as the header `RateLimit`. */
function formatRateLimit(windows: readonly Window[], states: readonly (WindowState | undefined)[]): string {
  let text = ''
  for (const [index, { name, limit, lengthMs }] of windows.entries()) {
    const { used, endsInMs } = states[index] ?? { used: 0, endsInMs: lengthMs }
    // V8 caches the texts of numbers in the old generation, and the numbers of all requests would fill it. V8 does not
    // cache the text of a bigint.
    const left = BigInt(Math.max(0, Math.floor(limit - used)))
    text += `${index > 0 ? ', ' : ''}"${name}";r=${left};t=${toSeconds(endsInMs)}`
  }
  return text
}

function toSeconds(ms: number): number {
  return Math.ceil(Math.round(ms) / 1000)
}

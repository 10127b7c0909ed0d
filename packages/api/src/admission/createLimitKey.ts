import { limitsOf, Month, ServiceError, type Limits } from '@agio/core'
import type { Admission, ApiKey, Window, WindowState } from '@agio/store'
import type { Settings } from '../Settings.ts'
import type { Visit } from '../visit/Visit.ts'
import { formatPolicy, formatRateLimit } from './formatRateLimit.ts'
import { quotaExceeded, rateLimited } from './refusals.ts'

// While what was used of a quota cannot be read, it is not asked for again sooner.
const askAgainMs = 5000

/**
 * Prepares the limits of keys: the rate and the burst of the key's tier, and its quota where quotas are enforced.
 *
 * @returns a function that leaves in the visit what the key has left, and refuses all calls of a request or none
 */
export function createLimitKey({ store, limiter, areQuotasEnforced, log, now = Date.now }: Settings): LimitKey {
  let quotasAwayUntilMs = 0
  // A key is the same object for as long as it is kept in memory.
  const allowances = new WeakMap<ApiKey, Allowance>()

  function admit({ subject, rates, all }: Allowance, key: ApiKey, cost: number): Admission | Promise<Admission> {
    const admission = limiter.admit(subject, now() < quotasAwayUntilMs ? rates : all, cost)
    if (!(admission instanceof Promise)) return admission
    return admission.catch((error: unknown) => {
      // Whoever may call goes on calling while the database is away, although nobody can tell what is left of the month.
      quotasAwayUntilMs = now() + askAgainMs
      log.error({ err: error, keyId: key.id }, 'a quota is not enforced: what was used of it cannot be read')
      return limiter.admit(subject, rates, cost)
    })
  }
  function getAllowance(key: ApiKey): Allowance | undefined {
    const known = allowances.get(key)
    if (known && now() < known.endsAtMs) return known
    const limits = limitsOf(key.tier, key.limits)
    if (!limits) return undefined
    const allowance = createAllowance(key, limits)
    allowances.set(key, allowance)
    return allowance
  }
  function createAllowance(key: ApiKey, limits: Limits): Allowance {
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
    return {
      subject: `key:${key.id}`,
      rates,
      all: areQuotasEnforced ? [...rates, quota] : rates,
      quota,
      policy: formatPolicy(rates),
      most: Math.max(1, Math.min(limits.requests, limits.burstPerSecond)),
      endsAtMs,
    }
  }
  return (visit, key, operations) => {
    const allowance = getAllowance(key)
    if (!allowance) return undefined
    const { rates, most, policy } = allowance
    const isPossible = operations.length <= most
    const cost = isPossible ? operations.length : 1
    const decide = ({ isAdmitted, states }: Admission) => {
      visit.rateLimit = { policy, state: formatRateLimit(rates, states) }
      if (!isAdmitted) {
        for (const operation of operations) store.usage.refuse(key.id, operation)
        throw toRefusal(allowance, states, cost)
      }
      if (!isPossible) throw tooManyAtOnce(operations.length, most)
    }
    const admission = admit(allowance, key, cost)
    return admission instanceof Promise ? admission.then(decide) : decide(admission)
  }
}

/** @throws `svc/rate-limited`, `svc/quota-exceeded`; `svc/invalid-request` for a batch that can never be admitted */
export type LimitKey = (visit: Visit, key: ApiKey, operations: readonly string[]) => void | Promise<void>

/** What a key may do in a month. */
type Allowance = {
  /** Whose windows they are. */
  readonly subject: string
  readonly rates: readonly Window[]
  readonly quota: Window
  /** The windows that limit the key: its quota is among them where quotas are enforced. */
  readonly all: readonly Window[]
  /** The rates, as `RateLimit-Policy`. */
  readonly policy: string
  /** How many calls one request may make. */
  readonly most: number
  /** When the month is over. */
  readonly endsAtMs: number
}

function toRates({ tier }: ApiKey, { requests, windowSeconds, burstPerSecond }: Limits): readonly Window[] {
  return [
    { name: tier, limit: requests, lengthMs: windowSeconds * 1000 },
    { name: 'burst', limit: burstPerSecond, lengthMs: 1000 },
  ]
}

function tooManyAtOnce(count: number, most: number): ServiceError {
  const message = `Cannot answer ${count} calls in one batch: the key may make ${most} at once`
  return new ServiceError('svc/invalid-request', message, { field: 'batch', value: count })
}

/** The refusal by the window that stays full the longest: before its end, waiting does not help. */
function toRefusal({ all, quota }: Allowance, states: readonly WindowState[], cost: number): ServiceError {
  const full = all.flatMap((window, index) => {
    const state = states[index]
    return state && state.used + cost > window.limit ? [{ window, endsInMs: state.endsInMs }] : []
  })
  const { window, endsInMs } = full.reduce((a, b) => (b.endsInMs > a.endsInMs ? b : a))
  if (window !== quota) {
    return rateLimited(`the key may make ${window.limit} calls in ${window.lengthMs / 1000} s, and has`, endsInMs)
  }
  return quotaExceeded(window.limit, endsInMs)
}

import { limitsOf, Month, ServiceError, type Limits } from '@agio/core'
import type { Admission, ApiKey, Window, WindowState } from '@agio/store'
import type { Settings } from '../Settings.ts'
import type { Visit } from '../visit/Visit.ts'
import { formatRateLimit } from './formatRateLimit.ts'
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

  async function admit({ id }: ApiKey, { rates, quota }: Windows, cost: number): Promise<Admission> {
    const subject = `key:${id}`
    if (!quota || now() < quotasAwayUntilMs) return await limiter.admit(subject, rates, cost)
    try {
      return await limiter.admit(subject, [...rates, quota], cost)
    } catch (error) {
      // Whoever may call goes on calling while the database is away, although nobody can tell what is left of the month.
      quotasAwayUntilMs = now() + askAgainMs
      log.error({ err: error, keyId: id }, 'a quota is not enforced: what was used of it cannot be read')
      return await limiter.admit(subject, rates, cost)
    }
  }
  function toQuota({ id }: ApiKey, { monthlyQuota }: Limits): Window {
    const nowMs = now()
    const month = Month.at(nowMs)
    return {
      name: `quota-${month}`,
      limit: monthlyQuota,
      lengthMs: Month.endMs(month) - nowMs,
      readUsed: () => store.usage.readCalls(id, month),
    }
  }
  return async (visit, key, operations) => {
    const limits = limitsOf(key.tier, key.limits)
    if (!limits) return
    const rates = toRates(key, limits)
    const quota = areQuotasEnforced ? toQuota(key, limits) : undefined
    const most = Math.max(1, Math.min(limits.requests, limits.burstPerSecond))
    const isPossible = operations.length <= most
    const cost = isPossible ? operations.length : 1
    const { isAdmitted, states } = await admit(key, { rates, quota }, cost)
    visit.rateLimit = formatRateLimit(rates, states)
    if (!isAdmitted) {
      for (const operation of operations) store.usage.refuse(key.id, operation)
      throw toRefusal({ rates, quota }, states, cost)
    }
    if (!isPossible) throw tooManyAtOnce(operations.length, most)
  }
}

/** @throws `svc/rate-limited`, `svc/quota-exceeded`; `svc/invalid-request` for a batch that can never be admitted */
export type LimitKey = (visit: Visit, key: ApiKey, operations: readonly string[]) => Promise<void>

type Windows = { readonly rates: readonly Window[]; readonly quota: Window | undefined }

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
function toRefusal({ rates, quota }: Windows, states: readonly WindowState[], cost: number): ServiceError {
  const windows = quota ? [...rates, quota] : rates
  const full = windows.flatMap((window, index) => {
    const state = states[index]
    return state && state.used + cost > window.limit ? [{ window, endsInMs: state.endsInMs }] : []
  })
  const { window, endsInMs } = full.reduce((a, b) => (b.endsInMs > a.endsInMs ? b : a))
  if (window !== quota) {
    return rateLimited(`the key may make ${window.limit} calls in ${window.lengthMs / 1000} s, and has`, endsInMs)
  }
  return quotaExceeded(window.limit, endsInMs)
}

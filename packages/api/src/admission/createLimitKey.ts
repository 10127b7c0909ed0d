import { limitsOf, Month, ServiceError, type Limits } from '@agio/core'
import type { Admission, ApiKey, Window, WindowState } from '@agio/store'
import type { Context as HonoContext } from 'hono'
import type { Env } from '../http/Env.ts'
import type { Settings } from '../http/Settings.ts'
import { formatRateLimit } from './formatRateLimit.ts'
import { rateLimited } from './rateLimited.ts'

/**
 * Prepares the limits of keys: the rate and the burst of the key's tier, and its quota where quotas are enforced.
 *
 * @returns a function that leaves in the context what the key has left, and refuses all calls of a request or none
 */
export function createLimitKey(settings: Settings): LimitKey {
  const { store, limiter, areQuotasEnforced, log, now = Date.now } = settings

  async function admit(key: ApiKey, { rates, quota }: Windows, cost: number): Promise<Admission> {
    const subject = `key:${key.id}`
    if (!quota) return await limiter.admit(subject, rates, cost)
    try {
      return await limiter.admit(subject, [...rates, quota], cost)
    } catch (error) {
      // Whoever may call goes on calling while the database is away, although nobody can tell what is left of the month.
      log.error({ err: error, keyId: key.id }, 'a quota is not enforced: what was used of it cannot be read')
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
  return async (c, key, operations) => {
    const limits = limitsOf(key.tier, key.limits)
    if (!limits) return
    const cost = operations.length
    assertPossible(limits, cost)
    const rates = toRates(key, limits)
    const quota = areQuotasEnforced ? toQuota(key, limits) : undefined
    const { isAdmitted, states } = await admit(key, { rates, quota }, cost)
    c.set('rateLimit', formatRateLimit(rates, states))
    if (isAdmitted) return
    for (const operation of operations) store.usage.refuse(key.id, operation)
    throw toRefusal(quota ? [...rates, quota] : rates, states, cost)
  }
}

/** @throws `svc/rate-limited`, `svc/quota-exceeded`; `svc/invalid-request` for a batch that can never be admitted */
export type LimitKey = (c: HonoContext<Env>, key: ApiKey, operations: readonly string[]) => Promise<void>

type Windows = { readonly rates: readonly Window[]; readonly quota: Window | undefined }

function toRates({ tier }: ApiKey, { requests, windowSeconds, burstPerSecond }: Limits): readonly Window[] {
  return [
    { name: tier, limit: requests, lengthMs: windowSeconds * 1000 },
    { name: 'burst', limit: burstPerSecond, lengthMs: 1000 },
  ]
}

function assertPossible({ requests, burstPerSecond }: Limits, cost: number): void {
  const most = Math.min(requests, burstPerSecond)
  if (cost <= most || cost === 1) return
  const message = `Cannot answer ${cost} calls in one batch: the key may make ${most} at once`
  throw new ServiceError('svc/invalid-request', message, { field: 'batch', value: cost })
}

function toRefusal(windows: readonly Window[], states: readonly WindowState[], cost: number): ServiceError {
  const full = windows.flatMap(({ name, limit }, index) => {
    const state = states[index]
    return state && state.used + cost > limit ? [{ name, limit, endsInMs: state.endsInMs }] : []
  })
  const last = full.reduce((a, b) => (b.endsInMs > a.endsInMs ? b : a))
  if (!last.name.startsWith('quota-')) {
    const reason = last.name === 'burst' ? `more than ${last.limit} came in one second` : `the window is used up`
    return rateLimited(reason, last.endsInMs)
  }
  const retryAfterSeconds = Math.max(1, Math.ceil(last.endsInMs / 1000))
  const message = `Cannot answer the request: the ${last.limit} calls of this month are used up`
  return new ServiceError('svc/quota-exceeded', message, { retryAfterSeconds })
}

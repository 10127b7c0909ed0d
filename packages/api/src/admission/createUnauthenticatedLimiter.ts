import { Errors, type ServiceError } from '@agio/core'
import type { Limiter, Window } from '@agio/store'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { resolveAddress } from './resolveAddress.ts'

// The names are part of the counters in Redis.
const withoutKey: Window = { name: 'unauthenticated', limit: 120, lengthMs: 60_000 }
const adminGuesses: Window = { name: 'admin-guesses', limit: 120, lengthMs: 60_000 }

/**
 * Creates the limiters of requests without a valid key, by address. Guesses of the admin key have their own window, so
 * that other requests of an address do not consume it.
 */
export function createUnauthenticatedLimiter({
  limiter,
  trustedProxies,
  metrics,
}: createUnauthenticatedLimiter.Dependencies): UnauthenticatedLimiter {
  const pendingGuesses = new Map<string, number>()
  const subjectOf = ({ request, address }: HttpExchange) =>
    `address:${resolveAddress(request.headers, address, trustedProxies)}`

  async function count(subject: string, window: Window, refusal: ServiceError): Promise<never> {
    const { isAdmitted, states } = await limiter.admit(subject, [window])
    throw isAdmitted ? refusal : throttle(window, states[0]?.endsInMs)
  }
  function throttle(window: Window, endsInMs?: number): ServiceError {
    metrics.observeRefusal(window === adminGuesses ? 'admin-guesses' : 'without-key')
    return toThrottled(window, endsInMs)
  }
  function addPending(subject: string, change: number): void {
    const left = (pendingGuesses.get(subject) ?? 0) + change
    if (left > 0) pendingGuesses.set(subject, left)
    else pendingGuesses.delete(subject)
  }
  return {
    refuse: (exchange, refusal) => count(subjectOf(exchange), withoutKey, refusal),
    assertMayGuessAdmin(exchange) {
      const subject = subjectOf(exchange)
      const { used, endsInMs } = limiter.getWindowState(subject, adminGuesses)
      const pending = pendingGuesses.get(subject) ?? 0
      if (used + pending >= adminGuesses.limit) throw throttle(adminGuesses, endsInMs)
    },
    async refuseAdminGuess(exchange, refusal) {
      const subject = subjectOf(exchange)
      addPending(subject, 1)
      return await count(subject, adminGuesses, refusal).finally(() => addPending(subject, -1))
    },
  }
}

export declare namespace createUnauthenticatedLimiter {
  type Dependencies = Pick<AppSettings, 'trustedProxies' | 'metrics'> & {
    readonly limiter: Pick<Limiter, 'admit' | 'getWindowState'>
  }
}

/** Limits the requests of an address that have no valid key. */
export type UnauthenticatedLimiter = {
  /**
   * Counts a request without a valid key and throws its refusal.
   *
   * @throws the refusal; `svc/rate-limited` instead once the address has reached its limit
   */
  refuse(exchange: HttpExchange, refusal: ServiceError): Promise<never>
  /** @throws `svc/rate-limited`, even for the right admin key, once the address has made too many wrong guesses */
  assertMayGuessAdmin(exchange: HttpExchange): void
  /**
   * Counts a wrong admin key and throws its refusal.
   *
   * @throws the refusal; `svc/rate-limited` instead once the address has reached its limit
   */
  refuseAdminGuess(exchange: HttpExchange, refusal: ServiceError): Promise<never>
}

function toThrottled({ name, limit, lengthMs }: Window, endsInMs = lengthMs): ServiceError<'svc/rate-limited'> {
  const requests = name === adminGuesses.name ? 'requests with a wrong admin key' : 'requests without a valid key'
  return Errors.rateLimited({
    reason: `limit of ${limit} ${requests} per minute and address reached`,
    waitMs: endsInMs,
  })
}

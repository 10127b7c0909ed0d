import type { ServiceError } from '@agio/core'
import type { Window } from '@agio/store'
import type { HttpExchange } from '../exchange/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { rateLimited } from './limitErrors.ts'
import { resolveAddress } from './resolveAddress.ts'

// Slows down the guessing of keys. The name is part of the counters in Redis.
const window: Window = { name: 'unauthenticated', limit: 120, lengthMs: 60_000 }

/** Creates the limiter of requests without a valid key, by address. */
export function createUnauthenticatedLimiter({
  limiter,
  trustedProxies,
}: createUnauthenticatedLimiter.Settings): UnauthenticatedLimiter {
  const pendingLookUps = new Map<string, number>()
  const subjectOf = ({ request, address }: HttpExchange) =>
    `address:${resolveAddress(request.headers, address, trustedProxies)}`

  async function refuse(exchange: HttpExchange, refusal: unknown): Promise<never> {
    const { isAdmitted, states } = await limiter.admit(subjectOf(exchange), [window])
    throw isAdmitted ? refusal : throttled(states[0]?.endsInMs)
  }
  return {
    refuse,
    assertNotThrottled(exchange) {
      const { used, endsInMs } = limiter.read(subjectOf(exchange), window)
      if (used >= window.limit) throw throttled(endsInMs)
    },
    async lookUp(exchange, find) {
      const subject = subjectOf(exchange)
      const { used, endsInMs } = limiter.read(subject, window)
      const pending = pendingLookUps.get(subject) ?? 0
      // Each pending look-up may turn out to be a guess.
      if (used + pending >= window.limit) throw throttled(endsInMs)
      pendingLookUps.set(subject, pending + 1)
      try {
        return await find()
      } catch (error) {
        return await refuse(exchange, error)
      } finally {
        const left = (pendingLookUps.get(subject) ?? 1) - 1
        if (left > 0) pendingLookUps.set(subject, left)
        else pendingLookUps.delete(subject)
      }
    },
  }
}

export declare namespace createUnauthenticatedLimiter {
  type Settings = Pick<AppSettings, 'limiter' | 'trustedProxies'>
}

export type UnauthenticatedLimiter = {
  /**
   * Counts a request without a valid key and throws its refusal.
   *
   * @throws the refusal; `svc/rate-limited` instead once the address has reached its limit
   */
  refuse(exchange: HttpExchange, refusal: ServiceError): Promise<never>
  /** @throws `svc/rate-limited` if the address has reached its limit */
  assertNotThrottled(exchange: HttpExchange): void
  /**
   * Runs the look-up of a key that is not in memory, with no more look-ups pending per address than may still fail.
   *
   * @throws `svc/rate-limited`; a look-up that fails is counted too
   */
  lookUp<Found>(exchange: HttpExchange, find: () => Promise<Found>): Promise<Found>
}

function throttled(endsInMs = window.lengthMs): ServiceError<'svc/rate-limited'> {
  return rateLimited(`limit of ${window.limit} requests without a valid key per minute and address reached`, endsInMs)
}

import type { ServiceError } from '@agio/core'
import type { Window } from '@agio/store'
import type { Settings } from '../Settings.ts'
import { resolveAddress } from '../visit/resolveAddress.ts'
import type { Visit } from '../visit/Visit.ts'
import { rateLimited } from './refusals.ts'

// So that guessing is slow. Requests with a valid key are not counted.
const window: Window = { name: 'strangers', limit: 120, lengthMs: 60_000 }

/** Limits those who show no valid key, by address. */
export function createStrangers({ limiter, trustedProxies }: Pick<Settings, 'limiter' | 'trustedProxies'>): Strangers {
  const underway = new Map<string, number>()
  const subjectOf = ({ request, address }: Visit) =>
    `address:${resolveAddress(request.headers, address, trustedProxies)}`

  async function refuse(visit: Visit, refusal: unknown): Promise<never> {
    const { isAdmitted, states } = await limiter.admit(subjectOf(visit), [window])
    throw isAdmitted ? refusal : tooMany(states[0]?.endsInMs)
  }
  return {
    refuse,
    assertWelcome(visit) {
      const { used, endsInMs } = limiter.read(subjectOf(visit), window)
      if (used >= window.limit) throw tooMany(endsInMs)
    },
    async lookUp(visit, find) {
      const subject = subjectOf(visit)
      const { used, endsInMs } = limiter.read(subject, window)
      const others = underway.get(subject) ?? 0
      // Each of those under way may turn out to be a guess.
      if (used + others >= window.limit) throw tooMany(endsInMs)
      underway.set(subject, others + 1)
      try {
        return await find()
      } catch (error) {
        return await refuse(visit, error)
      } finally {
        const left = (underway.get(subject) ?? 1) - 1
        if (left > 0) underway.set(subject, left)
        else underway.delete(subject)
      }
    },
  }
}

export type Strangers = {
  /** Counts a request without a valid key, and throws its refusal. @throws `svc/rate-limited` instead, once there are too many */
  refuse(visit: Visit, refusal: ServiceError): Promise<never>
  /** @throws `svc/rate-limited` if too many came from the address already */
  assertWelcome(visit: Visit): void
  /**
   * Looks a key up that is not known yet, for no more requests of an address at a time than it may still fail.
   *
   * @throws `svc/rate-limited`; a look-up that fails is counted too
   */
  lookUp<Found>(visit: Visit, find: () => Promise<Found>): Promise<Found>
}

function tooMany(endsInMs = window.lengthMs): ServiceError<'svc/rate-limited'> {
  return rateLimited('too many requests without a valid key came from this address', endsInMs)
}

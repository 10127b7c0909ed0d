import { createHash, timingSafeEqual } from 'node:crypto'
import { Errors, type Operator, type ServiceError } from '@agio/core'
import type { ApiKey, FoundKey, Limiter, Window } from '@agio/store'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { AdmissionError } from './Caller.ts'
import { resolveAddress } from './resolveAddress.ts'

/** Creates the checks of API keys and of admin keys. Requests that fail a check are limited by address. */
export function createAuthenticate(settings: Dependencies) {
  const { store, operators } = settings
  const unauthenticated = createUnauthenticatedLimiter(settings)
  const secrets = operators.flatMap((operator) =>
    operator.digests.map((hex) => ({ operator, digest: Buffer.from(hex, 'hex') })),
  )

  /** Compares all digests, so that the time does not depend on which one is equal. */
  function findOperator(digested: Buffer): Operator.Operator | undefined {
    let found: Operator.Operator | undefined
    for (const { operator, digest: stored } of secrets) if (timingSafeEqual(digested, stored)) found = operator
    return found
  }

  async function lookUp(exchange: HttpExchange, secret: string | null): Promise<ApiKey> {
    if (secret === null)
      return await unauthenticated.refuse(exchange, Errors.unauthorized({ reason: 'the header X-API-Key is missing' }))
    // A valid key is found however often its address has failed: a guess of 256 bits cannot succeed.
    const found = await store.keys.find(secret)
    if (!found) return await unauthenticated.refuse(exchange, Errors.unauthorized({ reason: 'the API key is unknown' }))
    if (found.status === 'active') {
      recordValidKey(exchange)
      return found.key
    }
    const keyId = found.key.id
    return await unauthenticated.refuse(exchange, toRefusal(found)).catch((refusal: unknown) => {
      throw new AdmissionError(refusal, { keyId })
    })
  }
  return {
    /** Returns the key of the secret with a hash, or why the secret is refused now. @throws `svc/storage-unavailable` */
    async check(secretHash: string): Promise<SecretCheck> {
      const found = await store.keys.findByHash(secretHash)
      if (!found) return { refusal: Errors.unauthorized({ reason: 'the API key is unknown' }) }
      return found.status === 'active' ? { key: found.key } : { refusal: toRefusal(found) }
    },
    /**
     * Returns the API key of a request.
     *
     * @throws `svc/unauthorized`, `svc/key-revoked`, `svc/key-expired`, `svc/rate-limited`, `svc/storage-unavailable`
     */
    authenticate(exchange: HttpExchange): ApiKey | Promise<ApiKey> {
      const { apiKey } = exchange.credentials
      const cached = apiKey === null ? undefined : store.keys.findCached(apiKey)
      // Nearly every key is in memory and needs no promise.
      if (cached?.status !== 'active') return lookUp(exchange, apiKey)
      recordValidKey(exchange)
      return cached.key
    },
    /** Returns the operator of a request. @throws `svc/unauthorized`, `svc/rate-limited`; `svc/not-found` without operators */
    async authenticateAdmin(exchange: HttpExchange): Promise<Operator.Operator> {
      if (secrets.length === 0) throw Errors.pathNotFound(exchange.path)
      const { adminKey: secret } = exchange.credentials
      const missing = Errors.unauthorized({ reason: 'the header X-Admin-Key is missing' })
      const digested = digest(secret ?? (await unauthenticated.refuse(exchange, missing)))
      // An operator chooses the admin key, so it may be weak. After too many guesses, an address must not learn that a guess is
      // right.
      unauthenticated.assertMayGuessAdmin(exchange)
      const operator =
        findOperator(digested) ??
        (await unauthenticated.refuseAdminGuess(exchange, Errors.unauthorized({ reason: 'the admin key is wrong' })))
      recordValidKey(exchange)
      return operator
    },
  }
}

type Dependencies = createUnauthenticatedLimiter.Dependencies & Pick<AppSettings, 'store' | 'operators'>

/** Authenticates requests by their API key or admin key. */
export type Authenticate = ReturnType<typeof createAuthenticate>

/** The key of a valid secret, or the refusal of another one. */
type SecretCheck = { readonly key: ApiKey } | { readonly refusal: ServiceError }

// Digests have one length and do not reveal the secret, so they can be compared in constant time.
function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Records that the connection of a request has sent a valid key. */
function recordValidKey({ connection }: HttpExchange): void {
  if (connection) connection.isAuthenticated = true
}

function toRefusal({ status, key: { restrictions } }: FoundKey): ServiceError {
  if (status === 'expired' && restrictions?.expiresAt) return Errors.keyExpired({ expiresAt: restrictions.expiresAt })
  return Errors.keyRevoked(status === 'rotated' ? { reason: 'it was rotated and its overlap has ended' } : {})
}

// The names are part of the counters in Redis.
const withoutKey: Window = { name: 'unauthenticated', limit: 120, lengthMs: 60_000 }
const adminGuesses: Window = { name: 'admin-guesses', limit: 120, lengthMs: 60_000 }

/**
 * Creates the limiters of requests without a valid key, by address. Guesses of the admin key have their own window, so
 * that other requests of an address do not consume it.
 */
function createUnauthenticatedLimiter({ limiter, trustedProxies, metrics }: createUnauthenticatedLimiter.Dependencies) {
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
    /**
     * Counts a request without a valid key and throws its refusal.
     *
     * @throws the refusal; `svc/rate-limited` instead once the address has reached its limit
     */
    refuse: (exchange: HttpExchange, refusal: ServiceError) => count(subjectOf(exchange), withoutKey, refusal),
    /** @throws `svc/rate-limited`, even for the right admin key, once the address has made too many wrong guesses */
    assertMayGuessAdmin(exchange: HttpExchange): void {
      const subject = subjectOf(exchange)
      const { used, endsInMs } = limiter.getWindowState(subject, adminGuesses)
      const pending = pendingGuesses.get(subject) ?? 0
      if (used + pending >= adminGuesses.limit) throw throttle(adminGuesses, endsInMs)
    },
    /**
     * Counts a wrong admin key and throws its refusal.
     *
     * @throws the refusal; `svc/rate-limited` instead once the address has reached its limit
     */
    async refuseAdminGuess(exchange: HttpExchange, refusal: ServiceError): Promise<never> {
      const subject = subjectOf(exchange)
      addPending(subject, 1)
      return await count(subject, adminGuesses, refusal).finally(() => addPending(subject, -1))
    },
  }
}

declare namespace createUnauthenticatedLimiter {
  type Dependencies = Pick<AppSettings, 'trustedProxies' | 'metrics'> & {
    readonly limiter: Pick<Limiter, 'admit' | 'getWindowState'>
  }
}

function toThrottled({ name, limit, lengthMs }: Window, endsInMs = lengthMs): ServiceError<'svc/rate-limited'> {
  const requests = name === adminGuesses.name ? 'requests with a wrong admin key' : 'requests without a valid key'
  return Errors.rateLimited({
    reason: `limit of ${limit} ${requests} per minute and address reached`,
    waitMs: endsInMs,
  })
}

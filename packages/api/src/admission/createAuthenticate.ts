import { createHash, timingSafeEqual } from 'node:crypto'
import { Errors, type ServiceError } from '@agio/core'
import type { ApiKey } from '@agio/store'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { AdmissionError } from './Caller.ts'
import { createUnauthenticatedLimiter } from './createUnauthenticatedLimiter.ts'

/** Creates the checks of API keys and of the admin key. Requests that fail a check are limited by address. */
export function createAuthenticate(settings: createAuthenticate.Dependencies): Authenticate {
  const { store, adminKey } = settings
  const unauthenticated = createUnauthenticatedLimiter(settings)
  const adminDigest = adminKey === undefined ? undefined : digest(adminKey)

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
    return await unauthenticated.refuse(exchange, revoked(found.status)).catch((refusal: unknown) => {
      throw new AdmissionError(refusal, { keyId })
    })
  }
  return {
    async findRefusal(secretHash) {
      const found = await store.keys.findByHash(secretHash)
      if (!found) return Errors.unauthorized({ reason: 'the API key is unknown' })
      return found.status === 'active' ? undefined : revoked(found.status)
    },
    authenticate(exchange) {
      const { apiKey } = exchange.credentials
      const cached = apiKey === null ? undefined : store.keys.findCached(apiKey)
      // Nearly every key is in memory and needs no promise.
      if (cached?.status !== 'active') return lookUp(exchange, apiKey)
      recordValidKey(exchange)
      return cached.key
    },
    async authenticateAdmin(exchange) {
      if (!adminDigest) throw Errors.pathNotFound(exchange.path)
      const { adminKey: secret } = exchange.credentials
      const missing = Errors.unauthorized({ reason: 'the header X-Admin-Key is missing' })
      const digested = digest(secret ?? (await unauthenticated.refuse(exchange, missing)))
      // An operator chooses the admin key, so it may be weak. After too many guesses, an address must not learn that a guess is
      // right.
      unauthenticated.assertMayGuessAdmin(exchange)
      if (!timingSafeEqual(digested, adminDigest))
        await unauthenticated.refuseAdminGuess(exchange, Errors.unauthorized({ reason: 'the admin key is wrong' }))
      recordValidKey(exchange)
    },
  }
}

export declare namespace createAuthenticate {
  type Dependencies = createUnauthenticatedLimiter.Dependencies & Pick<AppSettings, 'store' | 'adminKey'>
}

/** Authenticates requests by their API key or admin key. */
export type Authenticate = {
  /**
   * Returns the API key of a request.
   *
   * @throws `svc/unauthorized`, `svc/key-revoked`, `svc/rate-limited`, `svc/storage-unavailable`
   */
  authenticate(exchange: HttpExchange): ApiKey | Promise<ApiKey>
  /** Returns why the secret with a hash is refused now; undefined while it is valid. @throws `svc/storage-unavailable` */
  findRefusal(secretHash: string): Promise<ServiceError | undefined>
  /** Asserts the admin key. @throws `svc/unauthorized`, `svc/rate-limited`; `svc/not-found` if the service has no admin key */
  authenticateAdmin(exchange: HttpExchange): Promise<void>
}

// Digests have one length and do not reveal the secret, so they can be compared in constant time.
function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Records that the connection of a request has sent a valid key. */
function recordValidKey({ connection }: HttpExchange): void {
  if (connection) connection.isAuthenticated = true
}

function revoked(status: 'revoked' | 'rotated'): ServiceError {
  return Errors.keyRevoked(status === 'revoked' ? {} : { reason: 'it was rotated and its overlap has ended' })
}

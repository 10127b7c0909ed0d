import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '@agio/core'
import type { ApiKey, Window } from '@agio/store'
import type { Context as HonoContext } from 'hono'
import type { Env } from '../http/Env.ts'
import { resolveAddress } from '../http/resolveAddress.ts'
import type { Settings } from '../http/Settings.ts'
import { rateLimited } from './rateLimited.ts'

// So that guessing is slow. Requests with a valid key are not counted.
const strangers: Window = { name: 'strangers', limit: 120, lengthMs: 60_000 }

/** Prepares the two ways to show who one is. Who fails is limited by address. */
export function createAuthenticate({ store, limiter, adminKey, trustedProxies }: Settings): Authenticate {
  const adminHash = adminKey === undefined ? undefined : hash(adminKey)

  const subjectOf = (c: HonoContext<Env>) =>
    `address:${resolveAddress(c.req.raw.headers, c.env.address, trustedProxies)}`

  async function refuse(c: HonoContext<Env>, refusal: ServiceError): Promise<never> {
    const { isAdmitted, states } = await limiter.admit(subjectOf(c), [strangers])
    throw isAdmitted ? refusal : tooMany(states[0]?.endsInMs)
  }
  return {
    async authenticate(c) {
      const secret = c.req.raw.headers.get('x-api-key')
      if (secret === null) return await refuse(c, unauthorized('the header X-API-Key is missing'))
      const known = store.keys.findKnown(secret)
      // An address that has guessed too often costs the database nothing.
      if (!known && limiter.isFull(subjectOf(c), strangers)) return await refuse(c, unauthorized('it is not known'))
      const found = known ?? (await store.keys.find(secret))
      if (!found) return await refuse(c, unauthorized('the API key is not known'))
      if (found.status === 'active') return found.key
      c.set('keyId', found.key.id)
      return await refuse(c, revoked(found.status))
    },
    async authenticateAdmin(c) {
      if (!adminHash) {
        throw new ServiceError('svc/not-found', `Cannot find ${c.req.path}: there is nothing at this path`, {})
      }
      const secret = c.req.raw.headers.get('x-admin-key')
      const isRight = secret !== null && timingSafeEqual(hash(secret), adminHash)
      // An address that has guessed too often is not told of a hit either.
      if (!isRight || limiter.isFull(subjectOf(c), strangers)) {
        await refuse(c, unauthorized('the header X-Admin-Key is missing, or not the admin key'))
      }
    },
  }
}

export type Authenticate = {
  /** The caller's key. @throws `svc/unauthorized`, `svc/key-revoked`, `svc/rate-limited`, `svc/storage-unavailable` */
  authenticate(c: HonoContext<Env>): Promise<ApiKey>
  /** @throws `svc/unauthorized`, `svc/rate-limited`; `svc/not-found` if the service has no admin key */
  authenticateAdmin(c: HonoContext<Env>): Promise<void>
}

// Digests are of one length and tell nothing of the secret, so that they can be compared in constant time.
function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function unauthorized(reason: string): ServiceError {
  return new ServiceError('svc/unauthorized', `Cannot answer the request: ${reason}`, {})
}

function revoked(status: 'revoked' | 'rotated'): ServiceError {
  const reason = status === 'revoked' ? 'it was revoked' : 'it was rotated, and its overlap is over'
  return new ServiceError('svc/key-revoked', `Cannot use the API key: ${reason}`, {})
}

function tooMany(endsInMs = strangers.lengthMs): ServiceError {
  return rateLimited('too many requests without a valid key came from this address', endsInMs)
}

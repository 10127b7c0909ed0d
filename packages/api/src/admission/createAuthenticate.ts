import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '@agio/core'
import type { ApiKey, FoundKey } from '@agio/store'
import { nothingAt } from '../failure/misdirected.ts'
import type { Settings } from '../Settings.ts'
import type { Visit } from '../visit/Visit.ts'
import { createStrangers } from './createStrangers.ts'

/** Prepares the two ways to show who one is. Who fails is limited by address. */
export function createAuthenticate(settings: Settings): Authenticate {
  const { store, adminKey } = settings
  const strangers = createStrangers(settings)
  const adminDigest = adminKey === undefined ? undefined : digest(adminKey)

  async function lookUp(visit: Visit, secret: string | null, known: FoundKey | undefined): Promise<ApiKey> {
    if (secret === null) return await strangers.refuse(visit, unauthorized('the header X-API-Key is missing'))
    const found = known ?? (await strangers.lookUp(visit, () => store.keys.find(secret)))
    if (!found) return await strangers.refuse(visit, unauthorized('the API key is not known'))
    if (found.status === 'active') return found.key
    visit.keyId = found.key.id
    return await strangers.refuse(visit, revoked(found.status))
  }
  return {
    authenticate(visit) {
      const secret = visit.request.headers.get('x-api-key')
      const known = secret === null ? undefined : store.keys.findKnown(secret)
      // Nearly all keys are known, and need not be waited for.
      return known?.status === 'active' ? known.key : lookUp(visit, secret, known)
    },
    async authenticateAdmin(visit) {
      if (!adminDigest) throw nothingAt(visit.path)
      // An address that has guessed too often is not told of a hit either.
      strangers.assertWelcome(visit)
      const secret = visit.request.headers.get('x-admin-key')
      if (secret !== null && timingSafeEqual(digest(secret), adminDigest)) return
      await strangers.refuse(visit, unauthorized('the header X-Admin-Key is missing, or not the admin key'))
    },
  }
}

export type Authenticate = {
  /** The caller's key. @throws `svc/unauthorized`, `svc/key-revoked`, `svc/rate-limited`, `svc/storage-unavailable` */
  authenticate(visit: Visit): ApiKey | Promise<ApiKey>
  /** @throws `svc/unauthorized`, `svc/rate-limited`; `svc/not-found` if the service has no admin key */
  authenticateAdmin(visit: Visit): Promise<void>
}

// Digests are of one length and tell nothing of the secret, so that they can be compared in constant time.
function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function unauthorized(reason: string): ServiceError {
  return new ServiceError('svc/unauthorized', `Cannot answer the request: ${reason}`, {})
}

function revoked(status: 'revoked' | 'rotated'): ServiceError {
  const reason = status === 'revoked' ? 'it was revoked' : 'it was rotated, and its overlap is over'
  return new ServiceError('svc/key-revoked', `Cannot use the API key: ${reason}`, {})
}

import type { Context as HonoContext } from 'hono'
import type { Env } from '../http/Env.ts'
import type { Settings } from '../http/Settings.ts'
import { createAuthenticate } from './createAuthenticate.ts'
import { createLimitKey } from './createLimitKey.ts'
import { isAdminOperation } from './isAdminOperation.ts'

/**
 * Decides whether a request goes on: by the admin key for what operators do, by an API key and its limits for all else.
 * What goes on is counted.
 *
 * @returns a function that takes the operation of every call of the request, and admits all or none of them
 */
export function createAdmit(settings: Settings): Admit {
  const { usage } = settings.store
  const { authenticate, authenticateAdmin } = createAuthenticate(settings)
  const limitKey = createLimitKey(settings)
  return async (c, operations) => {
    const isAdmin = operations.some(isAdminOperation)
    if (isAdmin) await authenticateAdmin(c)
    const hasKey = c.req.raw.headers.has('x-api-key')
    const keyed = operations.filter((operation) =>
      isAdminOperation(operation) ? hasKey && operation === 'admin.stats' : true,
    )
    if (keyed.length > 0) {
      const key = await authenticate(c)
      c.set('keyId', key.id)
      await limitKey(c, key, keyed)
      for (const operation of keyed) usage.count(key.id, operation)
    }
    return { isAdmin }
  }
}

/** @throws `svc/unauthorized`, `svc/key-revoked`, `svc/rate-limited`, `svc/quota-exceeded`, `svc/not-found`, `svc/storage-unavailable` */
export type Admit = (
  c: HonoContext<Env>,
  operations: readonly string[],
) => Promise<{
  /** Whether the caller has shown the admin key. */
  readonly isAdmin: boolean
}>

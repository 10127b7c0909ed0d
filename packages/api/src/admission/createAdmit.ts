import type { Settings } from '../Settings.ts'
import type { Visit } from '../visit/Visit.ts'
import type { Authenticate } from './createAuthenticate.ts'
import { createLimitKey } from './createLimitKey.ts'
import { countedAdminOperation, isAdminOperation } from './isAdminOperation.ts'

/**
 * Decides whether a request goes on: by the admin key for what operators do, by an API key and its limits for all else.
 * What goes on is counted.
 *
 * @returns a function that takes the operation of every call of the request, and admits all or none of them
 */
export function createAdmit(settings: Settings, { authenticate, authenticateAdmin }: Authenticate): Admit {
  const { usage } = settings.store
  const limitKey = createLimitKey(settings)
  return async (visit, operations) => {
    const isAdmin = operations.some(isAdminOperation)
    if (isAdmin) await authenticateAdmin(visit)
    const hasKey = visit.request.headers.has('x-api-key')
    const keyed = operations.filter((operation) =>
      isAdminOperation(operation) ? hasKey && operation === countedAdminOperation : true,
    )
    if (keyed.length > 0) {
      const key = await authenticate(visit)
      visit.keyId = key.id
      await limitKey(visit, key, keyed)
      for (const operation of keyed) usage.count(key.id, operation)
    }
    return { isAdmin }
  }
}

/** @throws `svc/unauthorized`, `svc/key-revoked`, `svc/rate-limited`, `svc/quota-exceeded`, `svc/not-found`, `svc/storage-unavailable` */
export type Admit = (
  visit: Visit,
  operations: readonly string[],
) => Promise<{
  /** Whether the caller has shown the admin key. */
  readonly isAdmin: boolean
}>

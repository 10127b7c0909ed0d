import type { HttpExchange } from '../exchange/HttpExchange.ts'
import type { Caller } from './Caller.ts'
import type { Authenticate } from './createAuthenticate.ts'
import { createKeyLimiter } from './createKeyLimiter.ts'
import { countedAdminOperation, isAdminOperation } from './operations.ts'

/**
 * Creates the admission of requests: admin operations require the admin key, all others an API key within its limits.
 * Admitted calls are counted as usage.
 *
 * @returns a function that admits all operations of a request or none, and returns its caller
 */
export function createAdmit(settings: createAdmit.Settings, { authenticate, authenticateAdmin }: Authenticate): Admit {
  const { usage } = settings.store
  const limitKey = createKeyLimiter(settings)
  return async (exchange, operations) => {
    const isAdmin = operations.some(isAdminOperation)
    if (isAdmin) await authenticateAdmin(exchange)
    const hasKey = exchange.request.headers.has('x-api-key')
    const keyed = operations.filter((operation) =>
      isAdminOperation(operation) ? hasKey && operation === countedAdminOperation : true,
    )
    if (keyed.length === 0) return { isAdmin }
    const key = await authenticate(exchange)
    const rateLimit = await limitKey(key, keyed)
    for (const operation of keyed) usage.count(key.id, operation)
    return { isAdmin, keyId: key.id, rateLimit }
  }
}

export declare namespace createAdmit {
  type Settings = createKeyLimiter.Settings
}

/**
 * @throws `svc/unauthorized`, `svc/key-revoked`, `svc/rate-limited`, `svc/quota-exceeded`, `svc/not-found`,
 * `svc/storage-unavailable`; as the cause of an `AdmissionError` once the key is known
 */
export type Admit = (exchange: HttpExchange, operations: readonly string[]) => Promise<Caller>

import type { ApiKey } from '@agio/store'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import type { Caller } from './Caller.ts'
import type { Authenticate } from './createAuthenticate.ts'
import type { KeyLimiter } from './createKeyLimiter.ts'

/**
 * Creates the admission of requests: admin operations require the admin key, all others an API key within its limits.
 * Admitted calls are counted as usage.
 *
 * @returns a function that admits all operations of a request or none, and returns its caller
 */
export function createAdmit({ store, limitKey }: createAdmit.Dependencies, auth: Authenticate): Admit {
  const { usage } = store
  const { authenticate, authenticateAdmin } = auth
  function admitKeyed(key: ApiKey, operations: readonly string[], isAdmin: boolean): Caller | Promise<Caller> {
    const toCaller = (rateLimit: Caller['rateLimit']): Caller => {
      for (const operation of operations) usage.count(key.id, operation)
      return { isAdmin, keyId: key.id, key, rateLimit }
    }
    const rateLimit = limitKey.admit(key, operations)
    return rateLimit instanceof Promise ? rateLimit.then(toCaller) : toCaller(rateLimit)
  }
  function admit(exchange: HttpExchange, operations: readonly string[], isAdmin: boolean): Caller | Promise<Caller> {
    const hasKey = exchange.credentials.apiKey !== null
    const keyed = operations.filter((operation) =>
      isAdminOperation(operation) ? hasKey && operation === countedAdminOperation : true,
    )
    if (keyed.length === 0) return { isAdmin }
    // Nearly every key and its limits are in memory, and need no promise.
    const key = authenticate(exchange)
    return key instanceof Promise
      ? key.then((found) => admitKeyed(found, keyed, isAdmin))
      : admitKeyed(key, keyed, isAdmin)
  }
  return (exchange, operations) => {
    if (!operations.some(isAdminOperation)) return admit(exchange, operations, false)
    return authenticateAdmin(exchange).then(() => admit(exchange, operations, true))
  }
}

export declare namespace createAdmit {
  type Dependencies = Pick<AppSettings, 'store'> & { readonly limitKey: KeyLimiter }
}

/**
 * Admits all operations of a request or none, and returns its caller.
 *
 * @throws `svc/unauthorized`, `svc/key-revoked`, `svc/rate-limited`, `svc/quota-exceeded`, `svc/not-found`,
 * `svc/storage-unavailable`; as the cause of an `AdmissionError` once the key is known
 */
export type Admit = (exchange: HttpExchange, operations: readonly string[]) => Caller | Promise<Caller>

/** Operation name recorded for unmatched paths. */
export const unknownOperation = 'unknown'

/** The only admin operation that counts as a call of the API key sent beside the admin key. */
export const countedAdminOperation = 'admin.stats'

/** Whether an operation requires the admin key instead of an API key. */
export function isAdminOperation(operation: string): boolean {
  return operation.startsWith('admin.')
}

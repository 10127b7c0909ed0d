import { Errors, type Operator } from '@agio/core'
import type { ApiKey, KeyRestrictions } from '@agio/store'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { AdmissionError, type Caller } from './Caller.ts'
import type { AccessCheck } from './createAccessCheck.ts'
import type { Authenticate } from './createAuthenticate.ts'
import type { KeyLimiter } from './createKeyLimiter.ts'

/**
 * Creates the admission of requests: admin operations require an operator with their roles, all others an API key within its
 * restrictions and limits. Admitted calls are counted as usage.
 *
 * @returns a function that admits all operations of a request or none, and returns its caller
 */
export function createAdmit(dependencies: Dependencies, auth: Authenticate): Admit {
  const { limitKey, findRole, access, now = Date.now } = dependencies
  const { usage } = dependencies.store
  const { authenticate, authenticateAdmin } = auth
  /** Returns the key, if it may call the operations. */
  function checkAccess(exchange: HttpExchange, key: ApiKey, operations: readonly string[]): ApiKey {
    if (!key.restrictions) return key
    access.logDryRun(exchange, key)
    const refusal = access.findRefusal(exchange, key, operations)
    if (refusal) throw new AdmissionError(refusal, { keyId: key.id })
    return key
  }
  function admitKeyed(key: ApiKey, operations: readonly string[], operator: Admin): Caller | Promise<Caller> {
    const toCaller = (rateLimit: Caller['rateLimit']): Caller => {
      for (const operation of operations) usage.count(key.id, operation)
      const keyExpiresAt = key.restrictions && findExpiryNotice(key.restrictions, now())
      return { operator, keyId: key.id, key, rateLimit, keyExpiresAt }
    }
    const rateLimit = limitKey.admit(key, operations)
    return rateLimit instanceof Promise ? rateLimit.then(toCaller) : toCaller(rateLimit)
  }
  function admit(exchange: HttpExchange, operations: readonly string[], operator: Admin): Caller | Promise<Caller> {
    const hasKey = exchange.credentials.apiKey !== null
    const keyed = operations.filter((operation) =>
      isAdminOperation(operation) ? hasKey && operation === countedAdminOperation : true,
    )
    if (keyed.length === 0) return { operator }
    // Nearly every key and its limits are in memory, and need no promise.
    const key = authenticate(exchange)
    return key instanceof Promise
      ? key.then((found) => admitKeyed(checkAccess(exchange, found, keyed), keyed, operator))
      : admitKeyed(checkAccess(exchange, key, keyed), keyed, operator)
  }
  function admitAll(exchange: HttpExchange, operations: readonly string[]): Caller | Promise<Caller> {
    if (!operations.some(isAdminOperation)) return admit(exchange, operations, undefined)
    return authenticateAdmin(exchange).then((operator) => {
      const missing = operations.map(findRole).find((role) => role !== undefined && !operator.roles.includes(role))
      if (missing !== undefined) throw new AdmissionError(Errors.forbiddenRole({ role: missing }), { operator })
      return admit(exchange, operations, operator)
    })
  }
  return (exchange, operations) => {
    const { trace } = exchange
    return trace ? trace.inSpan('admission', () => admitAll(exchange, operations)) : admitAll(exchange, operations)
  }
}

type Dependencies = Pick<AppSettings, 'store' | 'now'> & {
  readonly limitKey: KeyLimiter
  readonly access: AccessCheck
  /** Returns the role that an admin operation needs; undefined for other and for unknown operations. */
  readonly findRole: (operation: string) => Operator.Role | undefined
}

// How long before its expiry responses name it.
const noticeMs = 7 * 86_400_000

function findExpiryNotice({ expiresAt }: KeyRestrictions, nowMs: number): string | undefined {
  return expiresAt && expiresAt.getTime() - nowMs <= noticeMs ? expiresAt.toISOString() : undefined
}

type Admin = Operator.Operator | undefined

/**
 * Admits all operations of a request or none, and returns its caller.
 *
 * @throws `svc/unauthorized`, `svc/key-revoked`, `svc/key-expired`, `svc/address-forbidden`, `svc/origin-forbidden`,
 * `svc/forbidden-scope`, `svc/forbidden-role`, `svc/rate-limited`, `svc/quota-exceeded`, `svc/not-found`,
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

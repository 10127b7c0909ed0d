import type { ErrorDetails } from './errorCatalogue.ts'
import { ServiceError, type Cause, type Refusal } from './ServiceError.ts'
import { toSafeEcho } from './toSafeEcho.ts'

/**
 * Returns the error for a field that the service cannot use. Long names and values are cut.
 *
 * @param options `value` is absent for secrets and for values that are not scalars; `action` replaces "read <field>"
 */
export function invalidRequest({ field: name, value, reason, action, cause }: InvalidField) {
  const field = toSafeEcho(name)
  const message = `Cannot ${action ?? `read ${field}`}: ${reason}`
  return new ServiceError('svc/invalid-request', message, { field, value: toSafeEcho(value), ...toCause(cause) })
}

type InvalidField = Cause & {
  readonly field: string
  readonly value?: unknown
  readonly reason: string
  readonly action?: string
}

/** An error of a field of the request. */
export type InputError = ServiceError<'svc/invalid-request' | 'svc/invalid-address' | 'svc/unsupported-chain'>

/** The largest number of fields that one error lists. */
export const maxInputErrors = 20

/** Returns the first error. If several fields are refused, it lists the fields, each with its first message. */
export function inputErrors([first, ...more]: readonly [InputError, ...InputError[]]): InputError {
  const messages = new Map<string, string>()
  for (const { details, message } of [first, ...more])
    if (!messages.has(details.field)) messages.set(details.field, message)
  if (messages.size === 1) return first
  const errors = Array.from(messages, ([field, message]) => ({ field, message }))
  return new ServiceError(first.code, first.message, { ...first.details, errors: errors.slice(0, maxInputErrors) })
}

/** Returns the error for a conversion of a token into itself. */
export function sameToken(token: string) {
  const reason = 'tokenIn and tokenOut are the same'
  return invalidRequest({ field: 'tokenOut', value: token, action: `convert ${token} into itself`, reason })
}

/**
 * Returns the error for a request that cannot be read as a whole.
 *
 * @param options `part` is the body unless the request itself cannot be read
 */
export function unreadableRequest({
  part = 'body',
  reason,
  cause,
}: { readonly part?: 'body' | 'request'; readonly reason: string } & Cause) {
  return invalidRequest({ field: part, action: `read the ${part}`, reason, cause })
}

/**
 * Returns the error for a request whose client has disconnected. No client receives it: the log and the metrics record an error of
 * the request, not of the service.
 */
export function clientDisconnected() {
  return invalidRequest({ field: 'connection', action: 'complete the request', reason: 'the client disconnected' })
}

/** Returns the error for a value that is not an address, or not the address of a wallet. */
export function invalidAddress({
  field,
  value,
  reason,
}: ErrorDetails<'svc/invalid-address'> & { readonly reason: string }) {
  return new ServiceError('svc/invalid-address', `Cannot use ${field}: ${reason}`, { field, value })
}

/** Returns the error for a chain that the service does not serve. The message lists the served chains. */
export function unsupportedChain({
  field,
  value: given,
  served,
}: ErrorDetails<'svc/unsupported-chain'> & { readonly served: readonly (string | number)[] }) {
  const value = toSafeEcho(given)
  const chain = typeof value === 'string' ? `"${value}"` : String(value)
  const message = `Cannot use chain ${chain}: the service serves only ${served.join(', ')}`
  return new ServiceError('svc/unsupported-chain', message, { field, value })
}

/** Returns the error for a token that the network, or the pool with this address, does not have. */
export function unsupportedToken({
  pool,
  ...details
}: {
  readonly field: string
  readonly value: string | undefined
  readonly pool?: string
}) {
  const reason = pool === undefined ? "it is not one of this network's tokens" : `${pool} does not hold it`
  return new ServiceError(
    'svc/unsupported-token',
    `Cannot use token ${details.value ?? details.field}: ${reason}`,
    details,
  )
}

/** Returns the error for an address that is not a pool of the deployment. */
export function poolNotFound({ address }: { readonly address: string }) {
  const message = `Cannot find pool ${address}: it is not one of this network's pools`
  return new ServiceError('svc/pool-not-found', message, { field: 'poolAddress', value: address })
}

/** Returns the error for a resource that does not exist or is hidden from this caller. */
export function notFound({ action, reason }: Refusal) {
  return new ServiceError('svc/not-found', `Cannot ${action}: ${reason}`, {})
}

/** Returns the error for a path that the service does not serve, or hides from this caller. */
export function pathNotFound(path: string) {
  return notFound({ action: `find ${path}`, reason: 'no operation exists at this path' })
}

/** Returns the error for an `Idempotency-Key` whose first request is in progress. */
export function idempotencyKeyInUse() {
  const message = 'Cannot answer the request: a request with the same Idempotency-Key is in progress'
  return new ServiceError('svc/idempotency-key-in-use', message, {})
}

/** Returns the error for an `Idempotency-Key` whose first request had another input. */
export function idempotencyKeyReused() {
  const message = 'Cannot answer the request: its Idempotency-Key was used for a request with another input'
  return new ServiceError('svc/idempotency-key-reused', message, {})
}

/** Returns the error of an earlier request with the same `Idempotency-Key`, from its stored fields. */
export function repeated({ code, message, details }: Pick<ServiceError, 'code' | 'message' | 'details'>): ServiceError {
  return new ServiceError(code, message, details)
}

/** Returns the error for a body above the limit. */
export function payloadTooLarge({ action = 'read the body', reason }: PartOf) {
  return new ServiceError('svc/payload-too-large', `Cannot ${action}: ${reason}`, {})
}

type PartOf = Pick<Refusal, 'reason'> & Partial<Pick<Refusal, 'action'>>

/** Returns the error for a body that is not declared as JSON in UTF-8. */
export function unsupportedMediaType({ reason }: { readonly reason: string }) {
  return new ServiceError('svc/unsupported-media-type', `Cannot read the body: ${reason}`, {})
}

/**
 * Returns the error for a method that a path does not support.
 *
 * @param options `allow` lists the supported methods, as in the header `Allow`
 */
export function methodNotAllowed({
  path,
  method,
  allow,
}: {
  readonly path: string
  readonly method: string
  readonly allow: string
}) {
  return new ServiceError('svc/method-not-allowed', `Cannot call ${path} by ${method}: it supports ${allow}`, {})
}

/** Returns the error for the method CONNECT. */
export function tunnelNotAllowed() {
  return new ServiceError('svc/method-not-allowed', 'Cannot open a tunnel: the service is not a proxy', {})
}

/** Returns the error for a request, or for a part of it, that did not arrive in time. */
export function requestTimeout({ part }: { readonly part: 'body' | 'request' }) {
  return new ServiceError('svc/request-timeout', `Cannot read the ${part}: it did not arrive in time`, {})
}

/** Returns the error for a header `Expect` that the service cannot meet. */
export function expectationFailed({ expect }: { readonly expect: string }) {
  const message = `Cannot meet the expectation "${toSafeEcho(expect)}": only 100-continue is supported`
  return new ServiceError('svc/expectation-failed', message, {})
}

/** Returns the error for a URL and headers above the limit of the runtime. */
export function headersTooLarge() {
  return new ServiceError('svc/headers-too-large', 'Cannot read the request: its URL and headers are too large', {})
}

function toCause(cause: unknown): Cause {
  return cause === undefined ? {} : { cause }
}

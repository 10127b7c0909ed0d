import { Errors, type Scope, type ServiceError } from '@agio/core'
import type { ApiKey, KeyRestrictions } from '@agio/store'
import type { HttpExchange } from '../http/HttpExchange.ts'
import * as Cidr from '../schema/Cidr.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { findClientAddress } from './resolveAddress.ts'

/** Creates the check of keys with restrictions: their addresses, origins and scopes. */
export function createAccessCheck({ trustedProxies, findScope, log }: Dependencies) {
  // The store returns the same object for as long as it keeps a key in memory.
  const parsed = new WeakMap<KeyRestrictions, readonly Cidr.Cidr[]>()
  function findNetworks(restrictions: KeyRestrictions): readonly Cidr.Cidr[] | undefined {
    if (!restrictions.allowedCidrs) return undefined
    const known = parsed.get(restrictions)
    if (known) return known
    const networks = restrictions.allowedCidrs.map(Cidr.parse).filter((network) => network !== undefined)
    parsed.set(restrictions, networks)
    return networks
  }
  /** Returns the address of a client that is outside of the networks of a key. */
  function findOutsideAddress({ request, address: socketAddress }: HttpExchange, restrictions: KeyRestrictions) {
    const networks = findNetworks(restrictions)
    if (!networks) return undefined
    const address = findClientAddress(request.headers, socketAddress, trustedProxies)
    return Cidr.isListed(networks, address) ? undefined : address
  }
  return {
    /** Returns why a key may not call the operations of a request; undefined if it may. */
    findRefusal(
      exchange: HttpExchange,
      { restrictions }: ApiKey,
      operations: readonly string[],
    ): ServiceError | undefined {
      if (!restrictions) return undefined
      const isOutside = restrictions.isCidrDryRun !== true && findOutsideAddress(exchange, restrictions) !== undefined
      if (isOutside) return Errors.addressForbidden()
      return findOriginRefusal(exchange, restrictions) ?? findScopeRefusal(operations, { restrictions, findScope })
    },
    /** Logs a request that the addresses of a key would refuse without their dry run. */
    logDryRun(exchange: HttpExchange, { id: keyId, restrictions }: ApiKey): void {
      if (restrictions?.isCidrDryRun !== true) return
      const address = findOutsideAddress(exchange, restrictions)
      if (address === undefined) return
      log.info({ requestId: exchange.requestId, keyId, address }, 'dry run: the key does not allow the address')
    },
  }
}

type Dependencies = Pick<AppSettings, 'trustedProxies' | 'log'> & {
  /** Returns the scope of an operation; undefined if the operation needs no scope. */
  readonly findScope: (operation: string) => Scope.Scope | undefined
}

/** Checks the restrictions of keys. */
export type AccessCheck = ReturnType<typeof createAccessCheck>

function findOriginRefusal({ request: { headers } }: HttpExchange, { allowedOrigins }: KeyRestrictions) {
  if (!allowedOrigins) return undefined
  const origin = headers.get('origin')
  return origin !== null && allowedOrigins.includes(origin)
    ? undefined
    : Errors.originForbidden({ hasOrigin: origin !== null })
}

type ScopeCheck = Pick<Dependencies, 'findScope'> & { readonly restrictions: KeyRestrictions }

function findScopeRefusal(operations: readonly string[], { findScope, restrictions: { scopes } }: ScopeCheck) {
  if (!scopes) return undefined
  for (const operation of operations) {
    const scope = findScope(operation)
    if (scope !== undefined && !scopes.includes(scope)) return Errors.forbiddenScope({ operation, scope })
  }
  return undefined
}

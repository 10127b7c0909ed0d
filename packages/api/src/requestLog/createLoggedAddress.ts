import { createHmac, randomBytes } from 'node:crypto'
import { findClientAddress } from '../admission/resolveAddress.ts'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'

/**
 * Creates a function that returns how the log names the client of a request. Returns undefined if the log does not name
 * clients.
 *
 * A hash has the same value for an address until the process ends, so that the requests of one client can be found. Its secret
 * exists only in this process: without it, the few possible addresses could be tried.
 */
export function createLoggedAddress({ logAddress = 'off', trustedProxies }: createLoggedAddress.Options) {
  if (logAddress === 'off') return undefined
  const secret = randomBytes(32)
  return ({ request, address }: Pick<HttpExchange, 'request' | 'address'>): string => {
    const found = findClientAddress(request.headers, address, trustedProxies)
    return logAddress === 'full' ? found : createHmac('sha256', secret).update(found).digest('hex').slice(0, 16)
  }
}

export declare namespace createLoggedAddress {
  type Options = Pick<AppSettings, 'logAddress' | 'trustedProxies'>
}

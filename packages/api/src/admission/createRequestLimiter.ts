import { Errors, type ServiceError } from '@agio/core'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { createAddressResolver } from './resolveAddress.ts'

// Up to this number, addresses without requests stay in the map. If each request added and removed its address, the map would
// reallocate its table all the time.
const keptAddresses = 1000

const unreadEntry =
  'an entry of X-Forwarded-For is not an address: such clients count as one. Check TRUST_PROXY and what the proxy writes'

/** Creates the limiter of concurrent requests, by address. */
export function createRequestLimiter({
  maxRequestsPerAddress,
  trustedProxies,
  log,
  metrics,
}: createRequestLimiter.Dependencies) {
  const inProgress = new Map<string, number>()
  let isWarned = false
  const resolve = createAddressResolver(trustedProxies, (entry) => {
    if (!isWarned) log?.error({ entry: entry.slice(0, 100) }, unreadEntry)
    isWarned = true
  })
  const reason = `limit of ${maxRequestsPerAddress} requests at a time per address reached`
  return {
    /** Counts a request as in progress, and returns its address; undefined if the address has reached its limit. */
    begin(exchange: HttpExchange): string | undefined {
      const address = resolve(exchange)
      const count = inProgress.get(address) ?? 0
      if (count >= maxRequestsPerAddress) {
        metrics?.observeRefusal('requests-in-progress')
        return undefined
      }
      inProgress.set(address, count + 1)
      return address
    },
    /** Ends a request of an address. */
    end(address: string): void {
      const count = (inProgress.get(address) ?? 1) - 1
      if (count > 0 || inProgress.size <= keptAddresses) inProgress.set(address, count)
      else inProgress.delete(address)
    },
    /** The error of a request above the limit. */
    get error(): ServiceError {
      return Errors.rateLimited({ reason, waitMs: 1000 })
    },
  }
}

export declare namespace createRequestLimiter {
  type Dependencies = Pick<AppSettings, 'maxRequestsPerAddress' | 'trustedProxies'> &
    Partial<Pick<AppSettings, 'log' | 'metrics'>>
}

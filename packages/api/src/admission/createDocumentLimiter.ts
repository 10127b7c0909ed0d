import { Errors } from '@agio/core'
import type { Window } from '@agio/store'
import type { Credentials, HttpExchange } from '../http/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { resolveAddress } from './resolveAddress.ts'

// The names are part of the counters in Redis.
const windows = {
  // A first page load makes four requests, and its search two more. For the next page, browsers only request the page itself.
  documents: { name: 'documents', limit: 120, lengthMs: 60_000 },
  // A first page load makes about thirty requests, and the visitors of an office share an address. The responses are smaller.
  console: { name: 'console', limit: 1200, lengthMs: 60_000 },
} as const satisfies Record<string, Window>

/**
 * Creates the limiter of requests for documents or for files of the console, by address. A request with a key that is in memory
 * is not counted.
 */
export function createDocumentLimiter(
  { store, limiter, trustedProxies, metrics }: createDocumentLimiter.Dependencies,
  name: keyof typeof windows = 'documents',
): DocumentLimiter {
  const window = windows[name]
  const hasKey = ({ apiKey }: Credentials) => apiKey !== null && store.keys.findCached(apiKey)?.status === 'active'
  return async ({ request, credentials, address }) => {
    if (hasKey(credentials)) return
    const subject = `address:${resolveAddress(request.headers, address, trustedProxies)}`
    const { isAdmitted, states } = await limiter.admit(subject, [window])
    if (isAdmitted) return
    metrics.observeRefusal(name)
    const reason = `limit of ${window.limit} requests for ${name === 'console' ? 'the console' : name} per minute and address reached`
    throw Errors.rateLimited({ reason, waitMs: states[0]?.endsInMs ?? window.lengthMs })
  }
}

export declare namespace createDocumentLimiter {
  type Dependencies = Pick<AppSettings, 'store' | 'limiter' | 'trustedProxies' | 'metrics'>
}

/** @throws `svc/rate-limited` if the address has reached its limit */
export type DocumentLimiter = (exchange: HttpExchange) => Promise<void>

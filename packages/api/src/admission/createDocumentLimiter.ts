import type { Window } from '@agio/store'
import type { HttpExchange } from '../exchange/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { rateLimited } from './limitErrors.ts'
import { resolveAddress } from './resolveAddress.ts'

// A page load takes three. The name is part of the counters in Redis.
const window: Window = { name: 'documents', limit: 120, lengthMs: 60_000 }

/** Creates the limiter of requests for documents, by address. A request with a key that is in memory is not counted. */
export function createDocumentLimiter({
  store,
  limiter,
  trustedProxies,
}: createDocumentLimiter.Settings): DocumentLimiter {
  const hasKey = ({ headers }: Request) => {
    const secret = headers.get('x-api-key')
    return secret !== null && store.keys.findKnown(secret)?.status === 'active'
  }
  return async ({ request, address }) => {
    if (hasKey(request)) return
    const subject = `address:${resolveAddress(request.headers, address, trustedProxies)}`
    const { isAdmitted, states } = await limiter.admit(subject, [window])
    if (isAdmitted) return
    const reason = `limit of ${window.limit} requests for documents per minute and address reached`
    throw rateLimited(reason, states[0]?.endsInMs ?? window.lengthMs)
  }
}

export declare namespace createDocumentLimiter {
  type Settings = Pick<AppSettings, 'store' | 'limiter' | 'trustedProxies'>
}

/** @throws `svc/rate-limited` if the address has reached its limit */
export type DocumentLimiter = (exchange: HttpExchange) => Promise<void>

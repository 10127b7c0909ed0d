import type { HttpRequest } from './HttpRequest.ts'

/** A request as it arrived. The service never writes to it. */
export type HttpExchange = {
  readonly request: HttpRequest
  readonly credentials: Credentials
  readonly requestId: string
  /** The path as it was sent: decoding it twice could change what it names. */
  readonly path: string
  /** The query string as it was sent, without its `?`. */
  readonly query: string
  /** The remote address of the connection. */
  readonly address: string
  /** Milliseconds of the monotonic clock. */
  readonly receivedAtMs: number
}

/** The secrets that a request carries; null without one. */
export type Credentials = { readonly apiKey: string | null; readonly adminKey: string | null }

/** Returns the exchange of a request that arrived over a connection from an address. */
export function createExchange(request: HttpRequest, address: string, receivedAtMs: number): HttpExchange {
  const { url, headers } = request
  const pathAt = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const queryAt = url.indexOf('?', pathAt)
  return {
    request,
    credentials: { apiKey: headers.get('x-api-key'), adminKey: headers.get('x-admin-key') },
    requestId: resolveRequestId(headers.get('x-request-id')),
    path: queryAt === -1 ? url.slice(pathAt) : url.slice(pathAt, queryAt),
    query: queryAt === -1 ? '' : url.slice(queryAt + 1),
    address,
    receivedAtMs,
  }
}

/** Returns the request's own id if it is safe to echo and to log, else a new UUID. */
function resolveRequestId(given: string | null): string {
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : crypto.randomUUID()
}

import type { RequestTrace } from './RequestTrace.ts'

/** A request as it arrived. The service writes only to its connection. */
export type HttpExchange = {
  readonly request: HttpRequest
  readonly credentials: Credentials
  readonly requestId: string
  /** The path as it was sent, encoded. It must be decoded only once: a second decoding could yield another path. */
  readonly path: string
  /** The query string as it was sent, without its `?`. */
  readonly query: string
  /** The remote address of the connection. */
  readonly address: string
  /** The connection of the request, if its server limits connections. */
  readonly connection?: ClientConnection | undefined
  /** The trace of the request; undefined for a request that is not traced. */
  readonly trace?: RequestTrace | undefined
  /** Milliseconds of the monotonic clock. */
  readonly receivedAtMs: number
}

/** What the service learns about a connection of a client. A server that limits its connections closes them by this. */
export type ClientConnection = {
  /** Whether a request had a valid key. */
  isAuthenticated: boolean
  /** Whether the newest response is a stream. */
  isStreaming: boolean
}

/** The secrets that a request carries; null without one. */
export type Credentials = { readonly apiKey: string | null; readonly adminKey: string | null }

/** Returns the exchange of a request that arrived over a connection from an address. */
export function createExchange(
  request: HttpRequest,
  { address, connection, trace }: Pick<HttpExchange, 'address' | 'connection' | 'trace'>,
  receivedAtMs: number,
): HttpExchange {
  const { url, headers } = request
  return {
    request,
    credentials: { apiKey: headers.get('x-api-key') ?? findBearer(headers), adminKey: headers.get('x-admin-key') },
    requestId: resolveRequestId(headers.get('x-request-id')),
    ...splitUrl(url),
    address,
    connection,
    trace,
    receivedAtMs,
  }
}

/** Returns the token of `Authorization: Bearer`; null for other schemes. */
function findBearer(headers: HttpHeaders): string | null {
  return /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}

/** Returns the path and the query of a URL, or of a path and query, as they were sent. */
export function splitUrl(url: string): Pick<HttpExchange, 'path' | 'query'> {
  // A target in absolute form may have no path.
  const pathAt = url.startsWith('/') ? 0 : findHostEnd(url, url.indexOf('://') + 3)
  const queryAt = url.indexOf('?', pathAt)
  const path = queryAt === -1 ? url.slice(pathAt) : url.slice(pathAt, queryAt)
  return { path: path === '' ? '/' : path, query: queryAt === -1 ? '' : url.slice(queryAt + 1) }
}

/** Returns where the host of a URL ends. */
function findHostEnd(url: string, hostAt: number): number {
  const length = url.slice(hostAt).search(/[/?]/)
  return length === -1 ? url.length : hostAt + length
}

/** Returns the request's own id if it is safe to echo and to log, else a new UUID. */
function resolveRequestId(header: string | null): string {
  return header !== null && /^[\w.:-]{1,128}$/.test(header) ? header : crypto.randomUUID()
}

/** The parts of a request that the service reads. Both a `Request` and the parsed request of a server have them. */
export type HttpRequest = {
  readonly method: string
  /** The URL, or its path and query. */
  readonly url: string
  readonly headers: HttpHeaders
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
  readonly body: Request['body']
  /** Reads the body. The headers must contain its length. */
  text(): string | Promise<string>
}

/** Headers that can be looked up by name, in lower case, and iterated. */
export type HttpHeaders = Pick<Headers, 'get' | 'has'> & Iterable<[string, string]>

/** The parts of a refused request that the server could read. */
export type UnreadRequest = {
  /** The remote address of its connection. */
  readonly address: string
  readonly method?: string | undefined
  /** The path as it was sent. */
  readonly path?: string | undefined
  readonly requestId?: string | undefined
}

/** Returns the exchange of a request that could not be read. */
export function createUnreadExchange(
  { address, path = '/', requestId }: UnreadRequest,
  receivedAtMs: number,
): HttpExchange {
  const headers = requestId === undefined ? {} : { 'x-request-id': requestId }
  const exchange = createExchange(new Request('http://service/', { headers }), { address }, receivedAtMs)
  return { ...exchange, path }
}

/** Returns a path, or a segment of one, percent-decoded once; malformed encodings are returned unchanged. */
export function decodePath(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/** Replaces the host of a request target. A target may contain credentials, which `Request` rejects. */
export const origin = 'http://service'

/** Returns the GET request that a HEAD request stands for. */
export function toGetRequest({ headers, signal }: Request, { path, query }: HttpExchange): Request {
  return new Request(`${origin}${path}${query === '' ? '' : `?${query}`}`, { headers, signal })
}

/** One request on its way, with what is found out about it for the answer's headers and the log line. */
export type Visit = {
  readonly request: Request
  readonly requestId: string
  /** The path as it was sent: what is decoded twice may be something else. */
  readonly path: string
  /** What follows `?`, as it was sent. */
  readonly query: string
  /** The address that the connection comes from. */
  readonly address: string
  /** By a clock that never goes back. */
  readonly receivedAtMs: number
  keyId?: string
  operation?: string
  /** What the key has left, as `RateLimit` and `RateLimit-Policy`. */
  rateLimit?: { readonly policy: string; readonly state: string }
  /** Why it failed. */
  cause?: unknown
}

/** Begins a visit. */
export function beginVisit(request: Request, address: string, receivedAtMs: number): Visit {
  const { url } = request
  const pathAt = url.indexOf('/', url.indexOf('://') + 3)
  const queryAt = url.indexOf('?', pathAt)
  return {
    request,
    requestId: resolveRequestId(request.headers.get('x-request-id')),
    path: queryAt === -1 ? url.slice(pathAt) : url.slice(pathAt, queryAt),
    query: queryAt === -1 ? '' : url.slice(queryAt + 1),
    address,
    receivedAtMs,
  }
}

/** The request's own id if it is one that is safe to echo and to log, else a new one. */
function resolveRequestId(given: string | null): string {
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : crypto.randomUUID()
}

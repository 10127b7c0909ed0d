/** The id that a caller gave in `X-Request-Id`, if it is one that is safe to echo and to log, else a new one. */
export function resolveRequestId(headers: Headers): string {
  const given = headers.get('x-request-id')
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : crypto.randomUUID()
}

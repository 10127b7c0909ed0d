import { METHODS } from 'node:http'
import { encodeRequest } from './encodeRequest.ts'
import type { FuzzRequest } from './FuzzRequest.ts'

// What the server itself reads of them decides whether there is a request at all.
const ownHeaders = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect'])
// Node takes 16 kB and a thousand headers, Deno more and a hundred.
const most = { headBytes: 15_000, headers: 95 }

/**
 * Whether the runtime's own server may refuse a request before the service sees it: its line or one of its headers is
 * malformed, it says something odd of its host or its length, or all of that is too large.
 */
export function isRefusable({ method, target, headers }: Pick<FuzzRequest, 'method' | 'target' | 'headers'>): boolean {
  const isLineRead = METHODS.includes(method) && method !== 'CONNECT' && /^\/[!-[\]-~]*$/.test(target)
  const areHeadersRead = headers.every(
    ([name, value]) =>
      !ownHeaders.has(name.toLowerCase()) && /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t -~]*$/.test(value),
  )
  const isSmall = headers.length <= most.headers && encodeRequest({ method, target, headers }).length <= most.headBytes
  return !isLineRead || !areHeadersRead || !isSmall
}

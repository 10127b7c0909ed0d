import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { HttpExchange, HttpHeaders } from '../http/HttpExchange.ts'

const { isValid, parse } = ipaddr

/**
 * Returns the client address that limits are counted by: an IPv4 address, or the /64 prefix of an IPv6 address.
 *
 * @param socketAddress the remote address of the connection
 * @param trustedProxies the number of trusted proxies; each appends one entry to `X-Forwarded-For`, and entries before
 * those may be forged
 */
export function resolveAddress(headers: HttpHeaders, socketAddress: string, trustedProxies: number): string {
  return toSubject(findClientAddress(headers, socketAddress, trustedProxies))
}

/** Returns the whole IP address of the client, with the parameters of `resolveAddress`. */
export function findClientAddress(headers: HttpHeaders, socketAddress: string, trustedProxies: number): string {
  const named = findForwarded(headers, trustedProxies)
  const given = named !== undefined && isValid(named) ? named : socketAddress
  // It returns an IPv4 address that is mapped to IPv6 as IPv4.
  return isValid(given) ? ipaddr.process(given).toString() : given
}

/** Creates a `resolveAddress` for every request: it keeps its last results in memory. */
export function createAddressResolver(trustedProxies: number): (exchange: HttpExchange) => string {
  const resolved = new LRUCache<string, string>({ max: 10_000 })
  return ({ request: { headers }, address }) => {
    const named = findForwarded(headers, trustedProxies)
    const given = named !== undefined && named.length <= maxAddressLength ? named : address
    const cached = resolved.get(given)
    if (cached !== undefined) return cached
    const subject = resolveAddress(headers, address, trustedProxies)
    // For an invalid entry, the result is the address of the connection. It differs between requests, so it is not kept.
    if (isValid(given)) resolved.set(given, subject)
    return subject
  }
}

// The length of an IPv6 address that ends with an IPv4 address.
const maxAddressLength = 45

function findForwarded(headers: HttpHeaders, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined
  const forwarded = headers.get('x-forwarded-for')?.split(',') ?? []
  return forwarded.at(-trustedProxies)?.trim() ?? forwarded[0]?.trim()
}

function toSubject(address: string): string {
  if (!isValid(address)) return address
  const parsed = parse(address)
  if (!('isIPv4MappedAddress' in parsed)) return address
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

import { createHmac, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { HttpExchange, HttpHeaders } from '../http/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'

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
  const named = parseForwarded(findForwarded(headers, trustedProxies))
  const given = named ?? socketAddress
  // It returns an IPv4 address that is mapped to IPv6 as IPv4.
  return isValid(given) ? ipaddr.process(given).toString() : given
}

/**
 * Creates a `resolveAddress` for every request: it keeps its last results in memory.
 *
 * @param onUnread called with an entry of a proxy that is not an address
 */
export function createAddressResolver(
  trustedProxies: number,
  onUnread: (entry: string) => void = () => {},
): (exchange: HttpExchange) => string {
  const resolved = new LRUCache<string, string>({ max: 10_000 })
  return ({ request: { headers }, address }) => {
    const named = findForwarded(headers, trustedProxies)
    const given = named !== undefined && named.length <= maxAddressLength ? named : address
    const cached = resolved.get(given)
    if (cached !== undefined) return cached
    const subject = resolveAddress(headers, address, trustedProxies)
    // For an invalid entry, the result is the address of the connection. It differs between requests, so it is not kept.
    if (given === address || parseForwarded(given) !== undefined) resolved.set(given, subject)
    if (named !== undefined && parseForwarded(named) === undefined) onUnread(named)
    return subject
  }
}

/**
 * Creates a function that returns how the log names the client of a request. Returns undefined if the log does not name
 * clients.
 *
 * A hash has the same value for an address until the process ends, so that the requests of one client can be found. Its secret
 * exists only in this process: without it, the few possible addresses could be tried.
 */
export function createLoggedAddress({ logAddress = 'off', trustedProxies }: Options) {
  if (logAddress === 'off') return undefined
  const secret = randomBytes(32)
  return ({ request, address }: Pick<HttpExchange, 'request' | 'address'>): string => {
    const found = findClientAddress(request.headers, address, trustedProxies)
    return logAddress === 'full' ? found : createHmac('sha256', secret).update(found).digest('hex').slice(0, 16)
  }
}

type Options = Pick<AppSettings, 'logAddress' | 'trustedProxies'>

// The length of an IPv6 address in brackets that ends with an IPv4 address, with a port.
const maxAddressLength = 53

/**
 * Parses an address with or without a port, as proxies write them: `203.0.113.9:51234`, `[2001:db8::7]:443` and `[2001:db8::7]`.
 * The numbers of an IPv4 address are decimal. Other spellings mean different addresses to different readers.
 */
function parseForwarded(entry = ''): string | undefined {
  const [, ipv4, ipv6] =
    /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?$|^\[([\da-f]*:[\da-f:.]*)\](?::\d{1,5})?$/i.exec(entry) ?? []
  const address = ipv4 ?? ipv6 ?? entry
  if (address.includes('%')) return undefined
  return isIP(address) === 0 ? undefined : address
}

function findForwarded(headers: HttpHeaders, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined
  const forwarded = headers.get('x-forwarded-for')?.split(',') ?? []
  return (forwarded.at(-trustedProxies) ?? forwarded[0])?.trim()
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

import ipaddr from 'ipaddr.js'

const { isValid, parse } = ipaddr

/**
 * Whom a request comes from, to limit by: an IPv4 address, or the /64 that one IPv6 customer has.
 *
 * @param socketAddress the other end of the connection
 * @param trustedProxies how many proxies of ours stand before us; each has added one entry to `X-Forwarded-For`, and what
 * stands before those entries may be forged
 */
export function resolveAddress(headers: Headers, socketAddress: string, trustedProxies: number): string {
  const forwarded = trustedProxies > 0 ? (headers.get('x-forwarded-for')?.split(',') ?? []) : []
  const named = forwarded.at(-trustedProxies)?.trim() ?? forwarded[0]?.trim()
  return toSubject(named !== undefined && isValid(named) ? named : socketAddress)
}

function toSubject(address: string): string {
  if (!isValid(address)) return address
  const parsed = parse(address)
  if (!('isIPv4MappedAddress' in parsed)) return parsed.toString()
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

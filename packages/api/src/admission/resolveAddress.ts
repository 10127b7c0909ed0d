import ipaddr from 'ipaddr.js'

const { isValid, parse } = ipaddr

/**
 * Returns the client address that limits are counted by: an IPv4 address, or the /64 prefix of an IPv6 address.
 *
 * @param socketAddress the remote address of the connection
 * @param trustedProxies the number of trusted proxies; each appends one entry to `X-Forwarded-For`, and entries before
 * those may be forged
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

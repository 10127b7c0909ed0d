import ipaddr from 'ipaddr.js'

// Public addresses at which Azure serves the host of a virtual machine.
const hostEndpoints: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Returns whether an IP address belongs to the public internet. An IPv6 address that contains an IPv4 address, such as
 * the address of a translator or tunnel, is not public: it leads to the IPv4 address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  // Unwraps an IPv4 address in IPv6.
  const address = ipaddr.process(text)
  return address.range() === 'unicast' && !hostEndpoints.has(address.toString())
}

/** Returns the IP address in the host of a URL; undefined if the host is a name. */
export function findAddress({ hostname }: URL): string | undefined {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(host) ? host : undefined
}

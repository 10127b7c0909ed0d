import ipaddr from 'ipaddr.js'

// Public addresses that lead to the host of a virtual machine: Azure's.
const hostEndpoints: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Returns whether an IP address is one of the public internet. An IPv6 address that contains an IPv4 address, as those of
 * translators and tunnels do, is none, since it leads to that one.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  // It unwraps an IPv4 address in IPv6.
  const address = ipaddr.process(text)
  return address.range() === 'unicast' && !hostEndpoints.has(address.toString())
}

/** Returns the IP address that the host of a URL is; undefined if it is a name. */
export function findAddress({ hostname }: URL): string | undefined {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(host) ? host : undefined
}

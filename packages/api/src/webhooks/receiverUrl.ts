import ipaddr from 'ipaddr.js'
import { Errors } from '@agio/core'
import type { Context } from '../procedure/Context.ts'

// Public addresses at which Azure serves the host of a virtual machine.
const hostEndpoints: ReadonlySet<string> = new Set(['168.63.129.16'])

// All IPv6 addresses that are assigned to the public internet. https://www.iana.org/assignments/ipv6-address-space
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns whether an IP address belongs to the public internet. An IPv6 address that contains an IPv4 address, such as
 * the address of a translator or tunnel, is not public: it leads to the IPv4 address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  // Unwraps an IPv4 address in IPv6.
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv6' && !address.match(publicIpv6)) return false
  return address.range() === 'unicast' && !hostEndpoints.has(address.toString())
}

/** Returns the IP address in the host of a URL; undefined if the host is a name. */
export function findAddress({ hostname }: URL): string | undefined {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(host) ? host : undefined
}

/**
 * Returns the URL of a receiver in its stored form. The addresses of the host name are checked at each attempt.
 *
 * @throws `svc/invalid-request` if the URL has credentials or a fragment. Except on local services, also if it is not
 * https or contains an address that is not public
 */
export function parseReceiverUrl(text: string, targets: Context['webhookTargets']): string {
  const refuse = (reason: string) => Errors.invalidRequest({ field: 'url', value: text, action: 'use url', reason })
  if (!URL.canParse(text)) throw refuse('it is not a valid URL')
  const url = new URL(text)
  const { protocol, username, password, hash } = url
  if (protocol !== 'https:' && (protocol !== 'http:' || targets !== 'local'))
    throw refuse('it does not start with https')
  if (username !== '' || password !== '') throw refuse('it has credentials')
  if (hash !== '' || text.endsWith('#')) throw refuse('it has a fragment')
  const address = findAddress(url)
  if (targets !== 'local' && address !== undefined && !isPublicAddress(address))
    throw refuse('its address is not public')
  return url.href
}

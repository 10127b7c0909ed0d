import { lookup, Resolver } from 'node:dns/promises'
import { findAddress, isPublicAddress } from '@agio/api'

/** Returns the addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** Resolves a host name by the system, IPv4 addresses first. */
export const resolveBySystem: ResolveHost = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'ipv4first' })
  return found.map(({ address }) => address)
}

/**
 * Returns a function that resolves host names only by DNS, IPv4 addresses first. The system's resolution would occupy
 * one of the process's four shared threads until the receiver's name server answers.
 *
 * @param servers the name servers, for tests. Default: the name servers of the system
 */
export function createDnsResolver(servers?: readonly string[]): ResolveHost {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: 2000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  }
}

// Each address gets a share of the time of an attempt.
const maxAddresses = 4

/** The reason why an attempt fails before anything is sent. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
  readonly reason: 'address-not-public' | 'name-not-found'
  constructor(reason: TargetError['reason']) {
    super(`Cannot deliver: ${reason}`)
    this.reason = reason
  }
}

/**
 * Returns the addresses to connect to for a URL, in the order in which to try them. The connection uses these addresses, so that
 * a second resolution cannot return another address.
 *
 * @throws `TargetError` if the name has no address, or if `targets` is `public` and an address is not public
 */
export async function resolveTarget(url: URL, { resolveHost, targets }: Options): Promise<readonly string[]> {
  if (targets === 'public' && url.protocol !== 'https:') throw new TargetError('address-not-public')
  const literal = findAddress(url)
  const addresses =
    literal === undefined
      ? await resolveHost(url.hostname).catch(() => {
          throw new TargetError('name-not-found')
        })
      : [literal]
  if (addresses.length === 0) throw new TargetError('name-not-found')
  if (targets === 'public' && !addresses.every(isPublicAddress)) throw new TargetError('address-not-public')
  return addresses.slice(0, maxAddresses)
}

type Options = { readonly resolveHost: ResolveHost; readonly targets: 'public' | 'local' }

import { lookup, Resolver } from 'node:dns/promises'
import { findAddress, isPublicAddress } from '@agio/api'

/** Returns the addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** Resolves a host name as the system does it, IPv4 addresses first. */
export const resolveBySystem: ResolveHost = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'ipv4first' })
  return found.map(({ address }) => address)
}

/**
 * Returns what resolves host names by DNS alone, IPv4 addresses first. The system's resolution occupies one of four threads that all
 * of the process shares, for as long as a name server of a receiver's choice takes to answer.
 *
 * @param servers the name servers, in tests; those of the system by default
 */
export function createDnsResolver(servers?: readonly string[]): ResolveHost {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: 2000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  }
}

/** Why an attempt fails before anything is sent. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
  readonly reason: 'address-not-public' | 'name-not-found'
  constructor(reason: TargetError['reason']) {
    super(`Cannot deliver: ${reason}`)
    this.reason = reason
  }
}

/**
 * Returns the address to connect to for a URL. The connection is made to this address, so that no second resolution can lead
 * elsewhere.
 *
 * @throws `TargetError` if the name has no address, or if one of its addresses is not public and has to be
 */
export async function resolveTarget(url: URL, { resolveHost, targets }: resolveTarget.Options): Promise<string> {
  if (targets === 'public' && url.protocol !== 'https:') throw new TargetError('address-not-public')
  const literal = findAddress(url)
  const addresses =
    literal === undefined
      ? await resolveHost(url.hostname).catch(() => {
          throw new TargetError('name-not-found')
        })
      : [literal]
  const [first] = addresses
  if (first === undefined) throw new TargetError('name-not-found')
  if (targets === 'public' && !addresses.every(isPublicAddress)) throw new TargetError('address-not-public')
  return first
}

export declare namespace resolveTarget {
  type Options = { readonly resolveHost: ResolveHost; readonly targets: 'public' | 'local' }
}

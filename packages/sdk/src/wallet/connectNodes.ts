import type { ChainId } from '../api/schemas.ts'
import { findInsecurity, parseUrl } from '../client/requestService.ts'
import { connectNode } from './connectNode.ts'
import type { Eip1193Provider } from './Wallet.ts'

/** The nodes that conversions are checked with, by chain id. */
export type Nodes = ReadonlyMap<number, Eip1193Provider>

/** Returns a provider for each node of the option `nodes`. @throws TypeError for an invalid node */
export function connectNodes({ nodes = {}, allowInsecure }: Options): Nodes {
  const given = Object.entries(nodes).filter(([, node]) => node !== undefined)
  return new Map(given.map(([chainId, node]) => [Number(chainId), toProvider({ chainId, node, allowInsecure })]))
}

type Options = {
  readonly nodes?: { readonly [Id in ChainId]?: string | Eip1193Provider | undefined } | undefined
  readonly allowInsecure?: boolean | undefined
}

type Given = { readonly chainId: string; readonly node: unknown; readonly allowInsecure: boolean | undefined }

function toProvider({ chainId, node, allowInsecure }: Given): Eip1193Provider {
  if (typeof (node as Partial<Eip1193Provider> | null)?.request === 'function') return node as Eip1193Provider
  const flaw = typeof node === 'string' ? findUrlFlaw(node, allowInsecure) : 'it is neither a URL nor a provider'
  // The message leaves the URL out, because it may have a key.
  if (flaw !== undefined) throw new TypeError(`Cannot use nodes.${chainId}: ${flaw}`)
  const request = connectNode(node as string)
  return { request: async ({ method, params }) => await request(method, params as readonly unknown[]) }
}

function findUrlFlaw(url: string, allowInsecure: boolean | undefined): string | undefined {
  const { protocol } = parseUrl(url) ?? {}
  if (protocol !== 'http:' && protocol !== 'https:') return 'it is not an http: or https: URL'
  return findInsecurity(url, allowInsecure)
}

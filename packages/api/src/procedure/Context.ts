import type { Chain } from '@agio/chain'
import { type Client, type Network, type Tier, Errors } from '@agio/core'
import type { ApiKey, Store } from '@agio/store'
import type { Quotes } from '../quote/createQuotes.ts'
import type { CallerStreams } from '../stream/Streams.ts'

/** The context of every procedure. A procedure reaches everything outside of the process through its context. */
export type Context = {
  readonly chains: Readonly<Partial<Record<Network.ChainId, Chain>>>
  readonly store: Pick<Store, 'keys' | 'usage' | 'quoteSecrets' | 'quotePauses' | 'webhooks'>
  /** Where webhooks may deliver to: public addresses over https, any address on a local service, or nowhere. */
  readonly webhookTargets: 'public' | 'local' | 'off'
  readonly quotes: Quotes
  /** The client that waits for the response, for `getChain`; undefined for work that several clients share. */
  readonly client?: Client.Client | undefined
  /** The streams of the caller; undefined for all operations but `stream.watch`. */
  readonly streams?: CallerStreams | undefined
  /** Whether the request carried the admin key. */
  readonly isAdmin: boolean
  /** The id of the API key of the request; undefined for an admin operation without an API key. */
  readonly keyId: string | undefined
  /** Returns the node requests that a key may cause in a window, and what is used; undefined for a tier without limits. */
  readonly findNodeBudget: (key: Pick<ApiKey, 'id' | 'tier' | 'limits'>) => NodeBudgetState | undefined
  readonly requestId: string
  /** Whether the input came in the URL, which proxies and browsers may log. */
  readonly isInputInUrl: boolean
  /** The wall clock, in milliseconds. */
  readonly now: () => number
}

type NodeBudgetState = Omit<Tier.NodeBudget, 'reserved'> & { readonly used: number; readonly resetSeconds: number }

/**
 * Returns a chain that the service serves. Its waits and reads end once the client of the context disconnects.
 *
 * @throws `svc/unsupported-chain` if the service has no deployment file for that network
 */
export function getChain({ chains, client }: Pick<Context, 'chains' | 'client'>, chainId: Network.ChainId): Chain {
  const chain = chains[chainId]
  if (chain) return client ? chain.forClient(client) : chain
  throw Errors.unsupportedChain({ field: 'chainId', value: chainId, served: Object.keys(chains) })
}

/** Returns the id of the API key of the request. @throws `svc/unauthorized` for an admin operation without a key */
export function getKeyId({ keyId }: Pick<Context, 'keyId'>): string {
  if (keyId !== undefined) return keyId
  throw Errors.unauthorized({ reason: 'the API key is required' })
}

/** Returns a context for work that several clients share, or that continues after its client has disconnected. */
export function withoutClient(context: Context): Context {
  return { ...context, client: undefined }
}

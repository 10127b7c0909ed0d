import type { Chain } from '@agio/chain'
import { type Client, type Clock, type Network, type Operator, type Tier, Errors } from '@agio/core'
import type { Actor, ApiKey, Store } from '@agio/store'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { RequestTrace } from '../http/RequestTrace.ts'
import type { NodeUse } from '../http/NodeUse.ts'
import type { Quotes } from '../quote/createQuotes.ts'
import type { CallerStreams } from '../stream/Streams.ts'

/** A client whose reads of nodes are measured, and its key. `nodeUse` is undefined until the first read. */
type MeasuredClient = Client.Client & { readonly nodeUse?: NodeUse | undefined; readonly key?: ApiKey }

/** The context of every procedure. A procedure reaches everything outside of the process through its context. */
export type Context = Clock.Clock & {
  readonly chains: Readonly<Partial<Record<Network.ChainId, Chain>>>
  readonly store: Pick<
    Store,
    'audit' | 'backups' | 'idempotency' | 'keys' | 'usage' | 'requestLog' | 'quoteSecrets' | 'quotePauses' | 'webhooks'
  >
  /** Where webhooks may deliver to: public addresses over https, any address on a local service, or nowhere. */
  readonly webhookTargets: 'public' | 'local' | 'off'
  /** Days for which the audit log is kept; undefined for ever. */
  readonly auditDays: number | undefined
  readonly quotes: Quotes
  /** The client that waits for the response, for `getChain`; undefined for work that several clients share. */
  readonly client?: MeasuredClient | undefined
  /** The streams of the caller; undefined for all operations but `stream.watch`. */
  readonly streams?: CallerStreams | undefined
  /** The operator whose admin key the request carried; undefined for a request without admin operations. */
  readonly operator: Operator.Operator | undefined
  /** The id of the API key of the request; undefined for an admin operation without an API key. */
  readonly keyId: string | undefined
  /** Returns the node requests that a key may cause in a window, and what is used; undefined for a tier without limits. */
  readonly findNodeBudget: (key: Pick<ApiKey, 'id' | 'tier' | 'limits'>) => NodeBudgetState | undefined
  readonly requestId: string
  /** The request, for its headers and for `findAddress`. */
  readonly exchange: AddressedExchange
  /** Returns the IP address of the client of a request. */
  readonly findAddress: (exchange: AddressedExchange) => string
  /** Whether the input came in the URL, which proxies and browsers may log. */
  readonly isInputInUrl: boolean
}

type AddressedExchange = Pick<HttpExchange, 'request' | 'address' | 'credentials' | 'trace'>

type NodeBudgetState = Omit<Tier.NodeBudget, 'reserved'> & { readonly used: number; readonly resetSeconds: number }

/**
 * Returns a chain that the service serves. Its waits and reads end once the client of the context disconnects.
 *
 * @throws `svc/unsupported-chain` if the service has no deployment file for that network
 */
export function getChain(
  { chains, client, exchange }: Pick<Context, 'chains' | 'client'> & Partial<Pick<Context, 'exchange'>>,
  chainId: Network.ChainId,
): Chain {
  const chain = chains[chainId]
  if (chain) return traceSnapshots(client ? chain.forClient(client) : chain, exchange?.trace)
  throw Errors.unsupportedChain({ field: 'chainId', value: chainId, served: Object.keys(chains) })
}

/** Returns a chain that records each snapshot as a span. Without a trace, returns the chain itself. */
function traceSnapshots(chain: Chain, trace: RequestTrace | undefined): Chain {
  if (!trace) return chain
  const getSnapshot = () => trace.inSpan('snapshot', () => chain.pools.getSnapshot())
  return { ...chain, pools: { ...chain.pools, getSnapshot } }
}

/** Returns the id of the API key of the request. @throws `svc/unauthorized` for an admin operation without a key */
export function getKeyId({ keyId }: Pick<Context, 'keyId'>): string {
  if (keyId !== undefined) return keyId
  throw Errors.unauthorized({ reason: 'the API key is required' })
}

/** Returns the hash of the secret of the request. @throws `svc/unauthorized` for an admin operation without a key */
export function getSecretHash({ store, exchange }: Pick<Context, 'store' | 'exchange'>): string {
  const secret = exchange.credentials.apiKey
  if (secret !== null) return store.keys.hash(secret)
  throw Errors.unauthorized({ reason: 'the API key is required' })
}

/** Returns who makes a change, for the audit log: the operator, or the API key that changes itself. */
export function toActor(context: ActorContext, operation: string): Actor {
  const { operator, requestId, exchange, findAddress } = context
  const name = operator?.name ?? `key:${getKeyId(context)}`
  return { operator: name, operation, address: findAddress(exchange), requestId }
}

type ActorContext = Pick<Context, 'operator' | 'keyId' | 'requestId' | 'exchange' | 'findAddress'>

/** Returns a context for work that continues after its client has disconnected. Its reads still count as reads of the client. */
export function outlivingClient({ client, ...context }: Context): Context {
  if (!client) return context
  return {
    ...context,
    client: {
      signal: new AbortController().signal,
      inSlot: client.inSlot,
      addNode: (position) => client.addNode?.(position),
    },
  }
}

/** Returns a context for work that several clients share. */
export function withoutClient(context: Context): Context {
  return { ...context, client: undefined }
}

import type { ChainId } from './api/schemas.ts'
import type { PinnedContracts } from './quote/PinnedContracts.ts'
import type { Eip1193Provider } from './wallet/Wallet.ts'

/** The URL of the service, the API key, the trusted contracts, and how requests are sent. */
export type AgioOptions = {
  /**
   * Base URL of the service, or of your own proxy that adds the key. Requests go to `/trpc` below it. In a browser it
   * may be a path. It must not have a query, a key or credentials, because servers and proxies log URLs. `http:` is
   * accepted for loopback hosts only, unless `allowInsecure` is set.
   */
  readonly url: string
  /**
   * API key, sent as the header `X-API-Key`. Do not set it in a web page, where the key would be public. Let the page
   * call your own proxy instead.
   */
  readonly apiKey?: string | undefined
  /**
   * Returns the API key. It is called before each request. If it throws, the call throws the same error. A conversion with
   * a pending transaction throws `network/invalid-response` with this error as its cause.
   */
  readonly getApiKey?: (() => string | Promise<string>) | undefined
  /**
   * The contracts that conversions may call and approve, by chain id: `{ 84532: { router, factory } }`, or the content of
   * a deployment file. `convert` and `resume` refuse other chains. Quotes and all other calls need no contracts.
   *
   * `service` trusts the contracts of every quote. An attacker who controls the service can then name another contract
   * and take what the user approves. Use it only for a page that the service itself serves, or for a service of your
   * own.
   */
  readonly contracts?: PinnedContracts | 'service' | undefined
  /**
   * Nodes that conversions are checked with, by chain id: a URL, or an EIP-1193 provider. Default: the node of the
   * wallet. Their answers are trusted.
   */
  readonly nodes?: { readonly [Id in ChainId]?: string | Eip1193Provider | undefined } | undefined
  /** Whether `http:` URLs of other hosts are accepted. Anyone on the network can then read and change responses. */
  readonly allowInsecure?: boolean | undefined
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Whether browser tabs with the same URL and key share one stream for their subscriptions. Default: true, or false
   * with a custom `fetch`, because its effect on requests is unknown to other tabs.
   */
  readonly shareTabs?: boolean | undefined
  /** How often a failed query or creation is retried. Default: 3. Other mutations are never retried. */
  readonly maxRetries?: number | undefined
}

import type { Chain } from '@agio/chain'
import type { ChainId } from '@agio/core'
import type { Limiter, Store } from '@agio/store'
import type { QuoteObservation } from '../quote/createQuotes.ts'
import type { RestHandler } from '../rest/RestHandler.ts'
import type { ConsoleSource } from './ConsoleSource.ts'
import type { LocalHandler } from './LocalHandler.ts'

/** The parts and options of the app; everything that reaches outside of the process comes from the composition root. */
export type AppSettings = {
  readonly chains: Readonly<Partial<Record<ChainId, Chain>>>
  readonly store: Pick<Store, 'keys' | 'usage' | 'quoteSecrets' | 'quotePauses' | 'webhooks' | 'state'>
  /** Where webhooks may deliver to: public addresses over https, any on a local service, or nowhere. */
  readonly webhookTargets: 'public' | 'local' | 'off'
  readonly limiter: Limiter
  /** The secret for `admin/*`, `/local/` and `/metrics`; without it they are 404. */
  readonly adminKey?: string | undefined
  /** Whether the monthly quotas of keys are enforced; usage is counted in any case. */
  readonly areQuotasEnforced: boolean
  /** The number of trusted proxies in front of the service; only their entries of `X-Forwarded-For` are used. */
  readonly trustedProxies: number
  /** The largest number of requests in progress at a time from one address. */
  readonly maxRequestsPerAddress: number
  /** How long a client may take to send the body of a request, in milliseconds. */
  readonly clientTimeoutMs: number
  /** Whether pages of an origin may call the service. */
  readonly isOriginAllowed: (origin: string) => boolean
  /** Reads openapi.json, which is generated: to create it takes a tenth of a second and many modules. */
  readonly readOpenApi: () => Promise<Uint8Array>
  /** Reads the script of the page at `/docs`. */
  readonly readDocsScript: () => Promise<Uint8Array>
  /** The console at `/console`; without it these paths are 404. */
  readonly console?: ConsoleSource | undefined
  /** Whether the process is about to stop: each response then closes its connection. */
  readonly isDraining: () => boolean
  readonly metrics: Metrics
  /** Runs the procedures called over REST; `createRestHandler` by default. */
  readonly callRest?: RestHandler | undefined
  /** Serves `/local/`; without it these paths are 404. */
  readonly local?: LocalHandler | undefined
  readonly log: Log
  /** The wall clock, in milliseconds. */
  readonly now?: (() => number) | undefined
}

/** The log of requests and of unexpected errors. */
export type Log = {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The metrics of the service, for operators. */
export type Metrics = {
  observe(response: { readonly operation: string; readonly status: number; readonly ms: number }): void
  observeQuote(observation: QuoteObservation): void
  /** Observes how many streams are open. */
  observeStreams(count: number): void
  /** Returns all metrics in the text format of Prometheus. */
  render(): Promise<string>
  readonly mediaType: string
}

import type { Chain } from '@agio/chain'
import type { ChainId } from '@agio/core'
import type { Limiter, Store } from '@agio/store'
import type { LocalHandler } from './http/LocalHandler.ts'
import type { RestHandler } from './rest/RestHandler.ts'

/** What the API is made of; values that reach outside of the process come from the composition root. */
export type Settings = {
  readonly chains: Readonly<Record<ChainId, Chain>>
  readonly store: Pick<Store, 'keys' | 'usage' | 'isReachable'>
  readonly limiter: Limiter
  /** Opens `admin/*` and `/metrics`, which are not there without it. */
  readonly adminKey?: string | undefined
  /** Whether the monthly quotas of keys are enforced, beside being counted. */
  readonly areQuotasEnforced: boolean
  /** How many proxies of our own each request passes; what they say of its address is believed. */
  readonly trustedProxies: number
  /** Tells whether pages of an origin may call the service. */
  readonly isOriginAllowed: (origin: string) => boolean
  /** The script of the page at `/docs`. */
  readonly readDocsScript: () => Promise<Uint8Array>
  readonly metrics: Metrics
  /** Runs the procedures that are called over REST; our own handler by default. */
  readonly callRest?: RestHandler | undefined
  /** Answers `/local/`, which is not there without it. */
  readonly local?: LocalHandler | undefined
  readonly log: Log
  /** The wall clock, in milliseconds. */
  readonly now?: (() => number) | undefined
}

/** Where each answered request and each unexpected error is written. */
export type Log = {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** What is counted of the answers, for operators. */
export type Metrics = {
  observe(answer: { readonly operation: string; readonly status: number; readonly ms: number }): void
  /** All figures, in the text format of Prometheus. */
  render(): Promise<string>
  readonly mediaType: string
}

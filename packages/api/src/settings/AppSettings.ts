import type { Chain } from '@agio/chain'
import type { Clock, Network, Operator } from '@agio/core'
import type { Limiter, Store } from '@agio/store'
import type { Tracing } from '../http/RequestTrace.ts'
import type { QuoteObservation } from '../quote/createQuotes.ts'
import type { StreamEnd } from '../stream/createStreamNotifier.ts'
import type { ConsoleSource } from './ConsoleSource.ts'
import type { DocsSource } from './DocsSource.ts'
import type { LocalHandler } from './LocalHandler.ts'

/** The dependencies and options of the app. The composition root provides the access to nodes, databases, files and time. */
export type AppSettings = Clock.Options & {
  readonly chains: Readonly<Partial<Record<Network.ChainId, Chain>>>
  readonly store: Pick<
    Store,
    | 'audit'
    | 'backups'
    | 'idempotency'
    | 'keys'
    | 'usage'
    | 'requestLog'
    | 'quoteSecrets'
    | 'quotePauses'
    | 'webhooks'
    | 'state'
  >
  /** Allowed webhook receivers: public addresses over https, any address on a local service, or none. */
  readonly webhookTargets: 'public' | 'local' | 'off'
  /** Days for which the audit log is kept; undefined for ever. */
  readonly auditDays?: number | undefined
  readonly limiter: Limiter
  /** The operators, for `admin/*`, `/local/` and `/metrics`. Without operators, these paths are 404. */
  readonly operators: readonly Operator.Operator[]
  /** Whether operators have their own port. Other ports then treat their paths like unknown paths. */
  readonly areOperatorsSeparate?: boolean | undefined
  /** Whether the monthly quotas of keys are enforced. Usage is always counted. */
  readonly areQuotasEnforced: boolean
  /** The number of trusted proxies in front of the service. Only their entries of `X-Forwarded-For` are used. */
  readonly trustedProxies: number
  /** The largest number of concurrent requests from one address. */
  readonly maxRequestsPerAddress: number
  /** The largest number of open streams of the process. */
  readonly maxStreams: number
  /** How long a client may take to send the body of a request, in milliseconds. */
  readonly clientTimeoutMs: number
  /** Whether pages of an origin may call the service, besides the origins of keys. */
  readonly isOriginAllowed: (origin: string) => boolean
  /** The URL at which clients reach the service, for the OpenAPI document and the index; without a slash at its end. */
  readonly publicUrl?: string | undefined
  /** Reads the generated openapi.json. Creating the document would take a tenth of a second and many modules. */
  readonly readOpenApi: () => Promise<Uint8Array>
  /** The documentation at `/docs`. */
  readonly docs: DocsSource
  /** The console at `/console`. Without a console, these paths are 404. */
  readonly console?: ConsoleSource | undefined
  /** Returns whether the process is about to stop. While it is, each response closes its connection. */
  readonly isDraining: () => boolean
  /** Whether agents are served at `/mcp`. Default: on. */
  readonly mcp?: 'on' | 'off' | undefined
  readonly metrics: Metrics
  /** Serves `/local/`. Without this handler, these paths are 404. */
  readonly local?: LocalHandler | undefined
  /** Functions that return the files of a local stack, by path. They are served without a key. */
  readonly downloads?: Readonly<Record<string, () => Promise<Uint8Array>>> | undefined
  /** The traces of requests. Without it, no request is traced. */
  readonly tracing?: Tracing | undefined
  /** How the request log names the address of a client: not at all, hashed, or in full. Default: `off`. */
  readonly logAddress?: 'off' | 'hash' | 'full' | undefined
  readonly log: Log
}

/** The log of requests and of unexpected errors. */
export type Log = {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The limits that refuse requests, streams and polls. */
export const limitKinds = [
  'rate',
  'burst',
  'quota',
  'node-requests',
  'node-reads-in-flight',
  'polls',
  'streams-of-key',
  'streams',
  'requests-in-progress',
  'without-key',
  'admin-guesses',
  'documents',
  'console',
] as const

/** A limit that refuses requests, streams or polls. */
type LimitKind = (typeof limitKinds)[number]

/** The metrics of the service, for operators. */
export type Metrics = {
  observe(response: { readonly operation: string; readonly status: number; readonly ms: number }): void
  observeQuote(observation: QuoteObservation): void
  /** Counts the node requests for which a key is charged, or which the budget of streams and webhooks refuses. */
  observeNodeRequests(charged: {
    /** The operation, or what causes the requests without a call. */
    readonly operation: string
    readonly outcome: 'admitted' | 'refused'
    readonly count: number
  }): void
  /** Records the number of open streams. */
  observeStreams(count: number): void
  /** Counts a stream that has ended. */
  observeStreamEnd(reason: StreamEnd['reason']): void
  /** Counts a refusal by a limit. */
  observeRefusal(limit: LimitKind): void
  /** Returns all metrics in the text format of Prometheus. */
  render(): Promise<string>
  readonly mediaType: string
}

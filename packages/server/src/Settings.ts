import type { ChainId, Tier } from '@agio/core'

/** The settings of a service. */
export type Settings = {
  readonly host: string
  /** The port of the API; 0 for any free port. */
  readonly port: number
  /** The folder of `<chainId>.json` files. */
  readonly deploymentsDir: string
  /** The folder of the built console, which is served at `/console`; without it these paths are 404. */
  readonly consoleDir?: string | undefined
  /** The number of processes that serve the port together, on Node; 1 by default. Several need `databaseUrl` and `redisUrl`. */
  readonly workers?: number | undefined
  /** The URLs of the upstream nodes of each chain, in order of preference. */
  readonly rpcUrls: Readonly<Record<ChainId, readonly string[]>>
  /** The URL of the PostgreSQL database for keys and usage; without it, the embedded database in `dataDir` holds them. */
  readonly databaseUrl?: string | undefined
  /** The folder of the embedded database. */
  readonly dataDir: string
  /** The URL of the Redis server for the limits; without it, each process counts for itself. */
  readonly redisUrl?: string | undefined
  /** The secret for `admin/*` and `/metrics`; without it they are 404. */
  readonly adminKey?: string | undefined
  /** The phase of the service: quotas are counted in every phase, and enforced in all but the sandbox. */
  readonly phase: 'sandbox' | 'staging' | 'production'
  /** The number of trusted proxies before the service: that many entries of `X-Forwarded-For` are trusted. */
  readonly trustedProxies: number
  /** The largest number of connections on each port. */
  readonly maxConnections: number
  /** The largest number of connections from one address, while no proxy is trusted. */
  readonly maxConnectionsPerAddress: number
  /** The largest number of requests in progress at a time from one address. */
  readonly maxRequestsPerAddress: number
  /** How long a client may take to send the headers of a request, its body, or to read more of a response, in milliseconds. */
  readonly clientTimeoutMs: number
  /** The port of `/metrics` without authentication; 0 for any free port. */
  readonly metricsPort?: number | undefined
  /** Keys with publicly known secrets, for the local stack. */
  readonly knownKeys?: readonly KnownKey[] | undefined
  /** The origins whose pages may call the service; `localhost` allows every origin on this machine. */
  readonly corsOrigins: readonly string[] | 'localhost'
  readonly logLevel: string
  /** How long a broadcast waits for its block, in milliseconds. */
  readonly broadcastWaitMs: number
  /** How long the service answers after a signal to stop, while load balancers turn away from it, in milliseconds. */
  readonly drainMs: number
  /** Maximum age of the last confirmed block, in milliseconds. */
  readonly snapshotMaxAgeMs: number
  /** The age of the newest block above which it is old, in milliseconds. */
  readonly maxBlockAgeMs: number
  /**
   * Where webhooks may deliver to: `public`, the default, to public addresses over https; `local` to any address, also over http, for
   * receivers on a local network; `off` nowhere: then no webhook can be created.
   */
  readonly webhookTargets?: 'public' | 'local' | 'off' | undefined
  /** How long after each failed attempt of a webhook the next one follows, in seconds; 5 s to 24 h by default. */
  readonly webhookRetrySeconds?: readonly number[] | undefined
  /** How long an attempt of a webhook may take, in milliseconds; 10,000 by default. */
  readonly webhookTimeoutMs?: number | undefined
}

type KnownKey = { readonly id: string; readonly secret: string; readonly tier: Tier }

import type { ChainId, Tier } from '@agio/core'

/** All that an operator decides. */
export type Settings = {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** The folder of `<chainId>.json` files. */
  readonly deploymentsDir: string
  /** Upstream nodes per chain, in order of preference. */
  readonly rpcUrls: Readonly<Record<ChainId, readonly string[]>>
  /** The PostgreSQL of keys and usage; without it they are in `dataDir`. */
  readonly databaseUrl?: string | undefined
  /** The folder of the embedded database. */
  readonly dataDir: string
  /** The Redis of the limits; without it each process has its own. */
  readonly redisUrl?: string | undefined
  /** Opens `admin/*` and `/metrics`; without it they are not there. */
  readonly adminKey?: string | undefined
  /** Quotas are counted in every phase, and enforced in all but the sandbox. */
  readonly phase: 'sandbox' | 'staging' | 'production'
  /** How many proxies of our own each request passes; `X-Forwarded-For` is believed as far as they wrote it. */
  readonly trustedProxies: number
  /** Where `/metrics` is served for everyone who reaches the port; 0 takes a free one. */
  readonly metricsPort?: number | undefined
  /** Keys whose secrets everyone knows: those of the local stack. */
  readonly knownKeys?: readonly KnownKey[] | undefined
  /** The origins whose pages may call the service; `localhost` stands for every origin on this machine. */
  readonly corsOrigins: readonly string[] | 'localhost'
  readonly logLevel: string
  /** How long a broadcast waits to be mined, in milliseconds. */
  readonly broadcastWaitMs: number
  /** How long a block that no node confirms any more may be used, in milliseconds. */
  readonly snapshotMaxAgeMs: number
}

type KnownKey = { readonly id: string; readonly secret: string; readonly tier: Tier }

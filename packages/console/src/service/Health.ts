/** The response of `/health`. */
export type Health = {
  readonly status: 'ok' | 'degraded' | 'down'
  /** Time of the response. */
  readonly timestamp: string
  /** Seconds since the start of the service. */
  readonly uptime: number
  readonly version: string
  readonly chains: readonly ChainHealth[]
  /** State of the database of keys and usage. */
  readonly storage: 'ok' | 'unwritable' | 'unreachable'
  /** Scope of the limits. */
  readonly limits: 'local' | 'shared' | 'unreachable'
}

/** The state of one chain. */
export type ChainHealth = {
  readonly chainId: number
  readonly status: 'ok' | 'degraded' | 'lagging' | 'unreachable'
  /** The available operations. */
  readonly available: readonly ('previews' | 'transactions')[]
  /** Error code of requests to the node. */
  readonly reason?: string
  readonly suspect?: 'clock'
  readonly unreadablePools?: readonly string[]
  /** Feeds because of which pools refuse to convert. */
  readonly faultyFeeds?: readonly { readonly feed: string; readonly reason: string }[]
  /** Number of the last confirmed block. */
  readonly blockNumber?: number
  readonly blockAgeSeconds?: number
}

/** Returns whether a response has the form of `/health`. */
export function isHealth(value: unknown): value is Health {
  return typeof value === 'object' && value !== null && 'chains' in value && Array.isArray(value.chains)
}

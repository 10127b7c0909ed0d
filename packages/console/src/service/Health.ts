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
  readonly suspect?: 'clock' | 'node'
  /** Whether no second node confirms new blocks. */
  readonly unconfirmed?: boolean
  /** Pools about which nodes disagree. */
  readonly disprovenPools?: readonly string[]
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

/** A block that `/health` has reported. */
export type SeenBlock = {
  readonly number: number
  /** Its time, as an ISO text. */
  readonly at: string
  /** Blocks since the previously reported block. Undefined for the first block, negative after a reorganisation. */
  readonly blocks?: number
  /** Seconds since the previously reported block. */
  readonly seconds?: number
}

/** The most recent blocks by chain id, newest first. */
export type SeenBlocks = Readonly<Record<string, readonly SeenBlock[]>>

const maxBlocks = 6

/** Adds the blocks of a `/health` response to the earlier blocks. */
export function addBlocks(seen: SeenBlocks, { chains, timestamp }: Pick<Health, 'chains' | 'timestamp'>): SeenBlocks {
  const entries = chains.map(({ chainId, blockNumber, blockAgeSeconds = 0 }) => {
    const blocks = seen[chainId] ?? []
    if (blockNumber === undefined || blocks[0]?.number === blockNumber) return [chainId, blocks] as const
    const seconds = Math.floor(Date.parse(timestamp) / 1000) - blockAgeSeconds
    const block = toSeenBlock({ number: blockNumber, seconds }, blocks[0])
    return [chainId, [block, ...blocks].slice(0, maxBlocks)] as const
  })
  return Object.fromEntries(entries)
}

function toSeenBlock(
  { number, seconds }: { readonly number: number; readonly seconds: number },
  previous: SeenBlock | undefined,
): SeenBlock {
  const block = { number, at: new Date(seconds * 1000).toISOString() }
  if (!previous) return block
  return { ...block, blocks: number - previous.number, seconds: seconds - Date.parse(previous.at) / 1000 }
}

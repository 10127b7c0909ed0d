import type { Health } from './Health.ts'

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

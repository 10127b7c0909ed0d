import { Network, type TransactionState } from '@agio/core'
import { BaseError, RpcRequestError, type Hex } from 'viem'
import { toHead, type Head } from '../head/Head.ts'
import { rethrowUpstream, toUpstreamError } from '../errors/toUpstreamError.ts'
import type { Rpc } from '../selection/createRpc.ts'

const retryTagsMs = 60_000
// Finality may advance without a block.
const maxAgeMs = 5000

/**
 * Reads how far a chain is final: by the node's `safe` and `finalized` tags, or by the network's depths if a node has
 * no such block. The tags are read once per block for all transactions. A tag that a node lacks is requested again
 * after a minute.
 */
export function createFinality({ chainId, rpc, now }: createFinality.Dependencies): Finality {
  const depths = Network.get(chainId).finalityDepths
  const lackedAtMs: Record<Tag, number> = { safe: -Infinity, finalized: -Infinity }
  let shared: { readonly hash: Hex; readonly atMs: number; readonly reading: Promise<TaggedHeads> } | undefined

  async function readTags(): Promise<TaggedHeads> {
    const tags = (['safe', 'finalized'] as const).filter((tag) => now() - lackedAtMs[tag] >= retryTagsMs)
    const read = await Promise.all(tags.map((tag) => readTagged(rpc.client, tag))).catch(rethrowUpstream)
    const heads: TaggedHeads = {}
    for (const [index, tag] of tags.entries()) {
      const head = read[index]
      if (head) heads[tag] = head
      else lackedAtMs[tag] = now()
    }
    return heads
  }
  function shareTags(hash: Hex): Promise<TaggedHeads> {
    if (shared?.hash === hash && now() - shared.atMs < maxAgeMs) return shared.reading
    const started = { hash, atMs: now(), reading: readTags() }
    shared = started
    // The next call repeats a failed read.
    started.reading.catch(() => {
      if (shared === started) shared = undefined
    })
    return started.reading
  }
  const toBound = (tag: Tag, tagged: Head | undefined, latest: Head): FinalityBound =>
    tagged
      ? { by: 'tag', head: tagged, lastNumber: tagged.number }
      : { by: 'depth', head: latest, lastNumber: latest.number - BigInt(depths[tag]) }
  return {
    async read({ client }, head) {
      const latest = head ?? (await readLatest(client))
      const { safe, finalized } = await shareTags(latest.hash)
      return { latest, safe: toBound('safe', safe, latest), finalized: toBound('finalized', finalized, latest) }
    },
  }
}

async function readLatest(client: Rpc['client']): Promise<Head> {
  const block = client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  return await block.then(toHead).catch(rethrowUpstream)
}

type TaggedHeads = Partial<Record<Tag, Head>>

/** Returns the tagged block; undefined if the node answers that it has no such block. */
async function readTagged(client: Rpc['client'], tag: Tag): Promise<Head | undefined> {
  try {
    const block = await client.request({ method: 'eth_getBlockByNumber', params: [tag, false] })
    return block ? toHead(block) : undefined
  } catch (error) {
    const isAnswer = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError) !== null
    if (isAnswer && toUpstreamError(error).code === 'svc/upstream-error') return undefined
    throw error
  }
}

export declare namespace createFinality {
  type Dependencies = {
    readonly chainId: Network.ChainId
    /** Reads the tags, for all clients. */
    readonly rpc: Pick<Rpc, 'client'>
    /** Returns the time of the monotonic clock, in milliseconds. */
    readonly now: () => number
  }
}

type Tag = Exclude<TransactionState.Finality, 'included'>

/** Reads how far a chain is final. */
export type Finality = {
  /**
   * Reads the newest block, unless it is given, and how far the chain is safe and finalized.
   *
   * @throws `svc/upstream-*`
   */
  read(rpc: Pick<Rpc, 'client'>, head?: Head): Promise<FinalityHeads>
}

/** The newest block, the last safe block and the last finalized block of a chain. */
export type FinalityHeads = {
  readonly latest: Head
  readonly safe: FinalityBound
  readonly finalized: FinalityBound
}

/** The last block of a finality, and its proof: the tagged block of the node, or the depth below its newest block. */
type FinalityBound = { readonly by: 'tag' | 'depth'; readonly head: Head; readonly lastNumber: bigint }

/** How final a block is, with the head that proves it. A block that is only included needs no proof. */
export type BlockFinality = {
  readonly finality: TransactionState.Finality
  readonly proof?: Pick<FinalityBound, 'by' | 'head'> | undefined
}

/** Returns how final a block is. */
export function judgeFinality({ safe, finalized }: FinalityHeads, blockNumber: bigint): BlockFinality {
  if (blockNumber <= finalized.lastNumber) return { finality: 'finalized', proof: toProof(finalized) }
  if (blockNumber <= safe.lastNumber) return { finality: 'safe', proof: toProof(safe) }
  return { finality: 'included' }
}

function toProof({ by, head }: FinalityBound): Pick<FinalityBound, 'by' | 'head'> {
  return { by, head }
}

import { Async, Network, type TransactionState } from '@agio/core'
import { BaseError, RpcRequestError, type Hex } from 'viem'
import { toHead, type Head } from '../head/Head.ts'
import { rethrowUpstream, toUpstreamError } from '../errors/toUpstreamError.ts'
import { newestBlock } from '../health/createNodeRequests.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { ChainClient, Rpc } from '../selection/createRpc.ts'

const retryTagsMs = 60_000
// Finality may advance without a block.
const maxAgeMs = 5000
// A hung node does not delay the others longer.
const answerMs = 1500
const stuckAfterMs = 600_000

/**
 * Reads how far a chain is final: by the node's `safe` and `finalized` tags, or by the network's depths if a node has
 * no such block. The tags are read once per block for all transactions. A tag that a node lacks is requested again
 * after a minute.
 *
 * If the chain has several nodes, a block is final by depth only if it is that deep below the own newest blocks of two nodes.
 * One node could otherwise announce any number.
 */
export function createFinality({ chainId, rpc, now }: createFinality.Dependencies) {
  const depths = Network.get(chainId).finalityDepths
  const lackedAtMs: Record<Tag, number> = { safe: -Infinity, finalized: -Infinity }
  const readReached = createReachedRead({ nodes: rpc.nodes, now })
  let shared: { readonly hash: Hex; readonly atMs: number; readonly reading: Promise<SharedHeads> } | undefined

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
  async function readShared(): Promise<SharedHeads> {
    const tagged = await readTags()
    const lacksTag = !tagged.safe || !tagged.finalized
    return lacksTag && rpc.nodes.length > 1 ? { ...tagged, reached: await readReached() } : tagged
  }
  function share(hash: Hex): Promise<SharedHeads> {
    if (shared?.hash === hash && now() - shared.atMs < maxAgeMs) return shared.reading
    const started = { hash, atMs: now(), reading: readShared() }
    shared = started
    // The next call repeats a failed read.
    started.reading.catch(() => {
      if (shared === started) shared = undefined
    })
    return started.reading
  }
  function toBound(tag: Tag, latest: Head, { [tag]: tagged, reached = latest }: SharedHeads): FinalityBound {
    if (tagged) return { by: 'tag', head: tagged, lastNumber: tagged.number }
    if (reached === 'unknown') return { by: 'depth', head: latest, lastNumber: -1n }
    const head = reached.number < latest.number ? reached : latest
    return { by: 'depth', head, lastNumber: head.number - BigInt(depths[tag]) }
  }
  return {
    /** Reads the newest block, unless it is given, and how far the chain is final. @throws `svc/upstream-*` */
    async read({ client }: Pick<Rpc, 'client'>, head?: Head): Promise<FinalityHeads> {
      const latest = head ?? (await readLatest(client))
      const heads = await share(latest.hash)
      return { latest, safe: toBound('safe', latest, heads), finalized: toBound('finalized', latest, heads) }
    },
  }
}

/**
 * Creates the read of the newest block that two nodes have reached: the second highest of the nodes' newest blocks. A node
 * that does not answer counts with its last answer. A node that lags or has never answered has no vote once nothing has
 * changed for ten minutes. If only one node has a vote, its newest block counts.
 */
function createReachedRead({ nodes, now }: { readonly nodes: readonly UpstreamNode[]; readonly now: () => number }) {
  const known = new Map<UpstreamNode, { readonly head: Head | undefined; readonly changedAtMs: number }>()

  async function readNewest(node: UpstreamNode): Promise<Head | undefined> {
    const last = known.get(node)
    const reading = node.read({ request: newestBlock, startedAtMs: performance.now() }).then(toHead)
    const head = (await Async.waitAtMost(answerMs, reading).catch(() => undefined)) ?? last?.head
    if (!last || head?.hash !== last.head?.hash) known.set(node, { head, changedAtMs: now() })
    return head
  }
  function isStuck(node: UpstreamNode): boolean {
    const last = known.get(node)
    return last !== undefined && (!last.head || node.state() === 'lagging') && now() - last.changedAtMs >= stuckAfterMs
  }
  return async (): Promise<Head | 'unknown'> => {
    const usable = nodes.filter((node) => node.isUsable())
    const newest = await Promise.all(usable.map(async (node) => ({ node, head: await readNewest(node) })))
    const votes = newest.filter(({ node }) => !isStuck(node)).map(({ head }) => head)
    const heads = votes.filter((head) => head !== undefined).sort((a, b) => Number(b.number - a.number))
    return (votes.length > 1 ? heads[1] : heads[0]) ?? 'unknown'
  }
}

async function readLatest(client: ChainClient): Promise<Head> {
  const block = client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  return await block.then(toHead).catch(rethrowUpstream)
}

type TaggedHeads = Partial<Record<Tag, Head>>

/** The tagged blocks. If a tag is missing, and the chain has several nodes, also the newest block that two nodes have reached. */
type SharedHeads = TaggedHeads & { readonly reached?: Head | 'unknown' }

/** Returns the tagged block; undefined if the node answers that it has no such block. */
async function readTagged(client: ChainClient, tag: Tag): Promise<Head | undefined> {
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
    /** Reads the tags and the nodes' newest blocks, for all clients. */
    readonly rpc: Pick<Rpc, 'client' | 'nodes'>
    /** Returns the time of the monotonic clock, in milliseconds. */
    readonly now: () => number
  }
}

type Tag = Exclude<TransactionState.Finality, 'included'>

/** Reads how far a chain is final. */
export type Finality = ReturnType<typeof createFinality>

/** The newest block, the last safe block and the last finalized block of a chain. */
export type FinalityHeads = {
  readonly latest: Head
  readonly safe: FinalityBound
  readonly finalized: FinalityBound
}

/** The last block of a finality, and its proof: the tagged block of the node, or the depth below the newest block. */
type FinalityBound = { readonly by: 'tag' | 'depth'; readonly head: Head; readonly lastNumber: bigint }

/** How final a block is, with the head that proves it. A block that is only included needs no proof. */
export type BlockFinality = {
  readonly finality: TransactionState.Finality
  readonly proof?: Pick<FinalityBound, 'by' | 'head'> | undefined
  /** How many blocks confirm it, its own included, and with how many it is final. Absent once it is final, or if unknown. */
  readonly confirmations?: { readonly count: bigint; readonly required: bigint } | undefined
}

/** Returns how final a block is. */
export function judgeFinality({ latest, safe, finalized }: FinalityHeads, blockNumber: bigint): BlockFinality {
  if (blockNumber <= finalized.lastNumber) return { finality: 'finalized', proof: toProof(finalized) }
  const isKnown = finalized.by === 'tag' || finalized.lastNumber !== -1n
  // A receipt may be newer than the head that was read.
  const newest = latest.number > blockNumber ? latest.number : blockNumber
  const confirmations = isKnown && {
    count: newest - blockNumber + 1n,
    required: newest - finalized.lastNumber + 1n,
  }
  const progress = confirmations && { confirmations }
  if (blockNumber <= safe.lastNumber) return { finality: 'safe', proof: toProof(safe), ...progress }
  return { finality: 'included', ...progress }
}

function toProof({ by, head }: FinalityBound): Pick<FinalityBound, 'by' | 'head'> {
  return { by, head }
}

import type { Chain } from '@agio/chain'
import { Errors, Network } from '@agio/core'
import { prices } from '../../market/prices.ts'
import { get as getPool } from '../../pools/get.ts'
import { parseCursor } from '../../transaction/trackingCursor.ts'
import type { Context } from '../../procedure/Context.ts'
import { prepareProcedure } from '../../procedure/prepareProcedure.ts'
import { withoutClient } from '../../procedure/withoutClient.ts'
import type { CallerStreams } from '../CallerStreams.ts'
import type { StreamItem } from '../createStreams.ts'
import { noStreamCursor, parseStreamCursor, type TransactionPosition } from '../streamCursor.ts'
import type { TopicWatch } from '../TopicWatch.ts'
import { createHealthWatch } from './createHealthWatch.ts'
import { createQuoteWatch } from './createQuoteWatch.ts'
import { createStateWatch } from './createStateWatch.ts'
import { createTransactionWatch } from './createTransactionWatch.ts'
import type { Topic, TopicOf } from './topicSchemas.ts'

const runPrices = prepareProcedure('oracle.prices', prices)
const runPool = prepareProcedure('pools.get', getPool)

/**
 * Opens the stream of some topics, which continues after the event with an id, if there is one.
 *
 * @throws `svc/rate-limited` if the key has as many streams as it may have, `svc/invalid-request` for the id of no event,
 * `svc/unsupported-chain` for a network that is not served
 */
export async function openTopics(
  context: Context,
  { topics, lastEventId, signal }: openTopics.Request,
): Promise<Items> {
  const streams = getStreams(context)
  // A stream keeps the signal of its client, not the request with its secret.
  const own = { ...context, client: { signal } }
  const positions = lastEventId === undefined ? [] : parseStreamCursor(lastEventId).transactions
  const parts = { context: own, streams, now: () => performance.now() }
  const resumed = new Map(positions.map((position) => [keyOf(parsePosition(position)), position]))
  return await streams.open(
    topics.map((topic, index) => createWatch(topic, { ...parts, index }, resumed)),
    signal,
  )
}

/** @throws `svc/invalid-request` for the id of another version */
function parsePosition({ cursor }: TransactionPosition) {
  try {
    return parseCursor(cursor)
  } catch {
    throw noStreamCursor(cursor)
  }
}

export declare namespace openTopics {
  type Request = {
    readonly topics: readonly Topic[]
    /** The id of the last event that the client got. */
    readonly lastEventId: string | undefined
    readonly signal: AbortSignal
  }
}

type Items = AsyncGenerator<StreamItem, void, void>

type Parts = {
  readonly context: Context
  readonly streams: CallerStreams
  readonly now: () => number
  /** Of the topic. */
  readonly index: number
}

function createWatch(topic: Topic, parts: Parts, resumed: ReadonlyMap<string, TransactionPosition>): TopicWatch {
  const { context } = parts
  if (topic.topic === 'health') return createHealthWatch(parts.streams.readHealth)
  if (topic.topic === 'transaction') {
    const chain = findChain(parts, chainIdOf(topic))
    const position = resumed.get(keyOf({ chainId: chain.chainId, hash: topic.transactionHash }))
    return createTransactionWatch(topic, { ...parts, chain, resumed: position })
  }
  const chain = findChain(parts, topic.chainId)
  if (topic.topic === 'quote') return createQuoteWatch(topic, { ...parts, chain })
  return createStateWatch({ chain, ...describeState(topic, context) }, { ...parts.streams, now: parts.now })
}

function describeState(topic: TopicOf<'prices' | 'pool'>, context: Context) {
  const { topic: name, ...input } = topic
  const run = name === 'prices' ? runPrices : runPool
  const shared = withoutClient(context)
  return {
    topic: name,
    key: JSON.stringify(topic),
    read: async () => (await run({ context: shared, input })) as object,
  }
}

/** @throws `svc/unsupported-chain` that names the topic, so that a client can leave it out */
function findChain({ context: { chains }, index }: Parts, chainId: Network.ChainId): Chain {
  const chain = chains[chainId]
  if (chain) return chain
  throw Errors.unsupportedChain({ field: `topics.${index}.chainId`, value: chainId, served: Object.keys(chains) })
}

function chainIdOf({ chainId, cursor }: TopicOf<'transaction'>): Network.ChainId {
  if (chainId !== undefined || cursor === undefined) return chainId ?? Network.defaultChainId
  try {
    return parseCursor(cursor).chainId
  } catch {
    // The error is an event of the topic, like the error of any other input that its operation refuses.
    return Network.defaultChainId
  }
}

function keyOf({ chainId, hash }: { readonly chainId: number; readonly hash: string }): string {
  return `${chainId} ${hash}`
}

function getStreams({ streams }: Context): CallerStreams {
  if (streams) return streams
  throw Errors.internal({ action: 'open a stream', reason: 'the request has no streams' })
}

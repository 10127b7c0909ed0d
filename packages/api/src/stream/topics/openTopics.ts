import type { Chain } from '@agio/chain'
import { Errors, Network } from '@agio/core'
import { prices } from '../../market/prices.ts'
import { get as getPool } from '../../pools/get.ts'
import { parseCursor } from '../../transaction/trackingCursor.ts'
import { type Context, withoutClient } from '../../procedure/Context.ts'
import { prepareProcedure } from '../../procedure/prepareProcedure.ts'
import type { CallerStreams, StreamItem } from '../Streams.ts'
import { noStreamCursor, parseStreamCursor, type TransactionPosition } from '../streamCursor.ts'
import type { TopicSource } from '../TopicSource.ts'
import { createQuoteSource } from './createQuoteSource.ts'
import { createStateSource } from './createStateSource.ts'
import { createTransactionSource } from './createTransactionSource.ts'
import type { Topic, TopicOf } from './topicSchemas.ts'
import type { Health } from '../../health/toHealth.ts'

const runPrices = prepareProcedure('oracle.prices', prices)
const runPool = prepareProcedure('pools.get', getPool)

/**
 * Opens a stream of topics. With the id of an event, the stream continues after that event.
 *
 * @throws the errors of `Streams.open`, `svc/invalid-request` if the id is not an event id, `svc/unsupported-chain` for a
 * network that is not served
 */
export async function openTopics(context: Context, { topics, lastEventId, signal }: Options): Promise<Items> {
  const streams = getStreams(context)
  // A stream keeps the signal of its client, not the request with its secret.
  const streamContext = { ...context, client: { signal } }
  const positions = lastEventId === undefined ? [] : parseStreamCursor(lastEventId).transactions
  const dependencies = { context: streamContext, streams, now: context.monotonicMs }
  const resumed = new Map(positions.map((position) => [keyOf(parsePosition(position)), position]))
  return await streams.open(
    topics.map((topic, index) => createSource(topic, { ...dependencies, index }, resumed)),
    signal,
  )
}

/** Parses the cursor of a position. @throws `svc/invalid-request` if another version of the service created it */
function parsePosition({ cursor }: TransactionPosition) {
  try {
    return parseCursor(cursor)
  } catch {
    throw noStreamCursor(cursor)
  }
}

type Options = {
  readonly topics: readonly Topic[]
  /** The id of the last event that the client received. */
  readonly lastEventId: string | undefined
  readonly signal: AbortSignal
}

type Items = AsyncGenerator<StreamItem, void, void>

type Dependencies = {
  readonly context: Context
  readonly streams: CallerStreams
  readonly now: () => number
  /** The index of the topic in the request. */
  readonly index: number
}

function createSource(
  topic: Topic,
  dependencies: Dependencies,
  resumed: ReadonlyMap<string, TransactionPosition>,
): TopicSource {
  const { context } = dependencies
  if (topic.topic === 'health') return createHealthSource(dependencies.streams.getHealth)
  if (topic.topic === 'transaction') {
    const chain = findChain(dependencies, chainIdOf(topic))
    const position = resumed.get(keyOf({ chainId: chain.chainId, hash: topic.transactionHash }))
    return createTransactionSource(topic, { ...dependencies, chain, resumed: position })
  }
  const chain = findChain(dependencies, topic.chainId)
  if (topic.topic === 'quote') return createQuoteSource(topic, { ...dependencies, chain })
  return createStateSource(
    { chain, ...describeState(topic, context) },
    { ...dependencies.streams, now: dependencies.now },
  )
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
function findChain({ context: { chains }, index }: Dependencies, chainId: Network.ChainId): Chain {
  const chain = chains[chainId]
  if (chain) return chain
  throw Errors.unsupportedChain({ field: `topics.${index}.chainId`, value: chainId, served: Object.keys(chains) })
}

function chainIdOf({ chainId, cursor }: TopicOf<'transaction'>): Network.ChainId {
  if (chainId !== undefined || cursor === undefined) return chainId ?? Network.defaultChainId
  try {
    return parseCursor(cursor).chainId
  } catch {
    // The topic's operation refuses this cursor later. Its error then is an event of the topic, as for any invalid input.
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

/** Creates the source of the health. It sends an event for each change, except changes of ages, times and blocks. */
function createHealthSource(getHealth: () => Health): TopicSource {
  let sentState: string | undefined
  return {
    topic: 'health',
    chain: undefined,
    isDue: () => toState(getHealth()) !== sentState,
    async read() {
      const health = getHealth()
      sentState = toState(health)
      return [{ data: health }]
    },
  }
}

function toState({ timestamp: _, uptime: __, ...health }: Health): string {
  const chains = health.chains.map(({ blockNumber: ___, blockAgeSeconds: ____, ...chain }) => chain)
  return JSON.stringify({ ...health, chains })
}

import type { Chain, KnownTransaction } from '@agio/chain'
import { Tier, TransactionState, type Address } from '@agio/core'
import type { Hex } from 'viem'
import { parseCursor } from '../../transaction/trackingCursor.ts'
import { observe } from '../../transaction/track.ts'
import { prepareProcedure } from '../../procedure/prepareProcedure.ts'
import { withoutClient, type Context } from '../../procedure/Context.ts'
import type { CallerStreams } from '../Streams.ts'
import type { TransactionPosition } from '../streamCursor.ts'
import type { TopicEvent, TopicSource, StreamChain } from '../TopicSource.ts'
import { createReadSchedule, toErrorState } from './createReadSchedule.ts'
import { listTransitions, type Tracked } from '../../transaction/trackResponse.ts'
import type { TopicOf } from './topicSchemas.ts'

const runObserve = prepareProcedure('transaction.track', observe)

// The pools of the nodes change without a block. Polls of a transaction that no node has become rarer.
const { minMs: minPollMs, maxMs: maxPollMs, firstMissMs } = Tier.pollIntervals
// Polls of a transaction that a node has become rarer with its age.
const ageParts = 12

/**
 * Creates the source of a transaction, until its final state. It sends an event for each transition, even for transitions while
 * the client was disconnected.
 *
 * The nodes are asked about the transaction only if a new block concerns it, or when a poll is due.
 */
export function createTransactionSource(
  { topic: _, ...first }: TopicOf<'transaction'>,
  { chain, context, streams, resumed, now }: Dependencies,
): TopicSource {
  const { transactionHash } = first
  const schedule = createReadSchedule(chain, now)
  const delays = createPollDelays(now)
  const mustRead = createComparison({ chain, streams, client: context.client?.signal })
  let input: object = resumed ? { transactionHash, cursor: resumed.cursor } : first
  let state = resumed?.state
  let known: KnownTransaction = { hash: transactionHash }
  let isFirst = true
  let isOver = false
  let failure: string | undefined

  async function readTracked(): Promise<Tracked> {
    const { client } = context
    const key = `transaction ${JSON.stringify(input)}`
    const shared = { key, maxAgeMs: minPollMs / 2, charge: streams.chargePoll, client }
    const beginSearch = () => streams.beginSearch(client)
    const shareable = { ...withoutClient(context), streams: { ...streams, beginSearch } }
    return await streams.share(chain, shared, () => runObserve({ context: shareable, input }) as Promise<Tracked>)
  }
  function accept(tracked: Tracked): readonly TopicEvent[] {
    const transitions = listTransitions(state, tracked)
    const present = TransactionState.from(tracked)
    // A node that lags behind reports a less final state.
    const isBehind = state !== undefined && TransactionState.compare(present, state) === -1
    if (!isBehind) state = present
    if (tracked.cursor !== undefined) input = { transactionHash, cursor: tracked.cursor }
    known = toKnown(tracked)
    isOver = TransactionState.isSettled(present)
    const delayMs = delays.after(tracked)
    if (delayMs !== undefined) schedule.retryAfter(delayMs)
    // After a reconnect, the current state is sent even without a transition.
    const isRepeated = transitions.length === 0 && isFirst
    isFirst = false
    if (isRepeated) return [toEvent(tracked, state ?? present)]
    return transitions.map((data) => toEvent(data, TransactionState.from(data)))
  }
  function fail(error: unknown): readonly TopicEvent[] {
    const failed = toErrorState(error)
    const isMissing = failed === missingState
    const delayMs = isMissing ? delays.afterMiss() : delays.afterFailure()
    schedule.retryAfter(delayMs)
    schedule.pauseAfter(error)
    // A node may need a moment to receive a transaction.
    if (isMissing && delayMs === firstMissMs) return []
    if (failed === failure) return []
    failure = failed
    throw error
  }
  return {
    topic: 'transaction',
    chain,
    resumed,
    isDue: () => !isOver && schedule.isDue(),
    async read() {
      const isPoll = schedule.isPollDue()
      schedule.begin({ keepPoll: !isPoll })
      try {
        if (!(await mustRead(known, isPoll))) return []
        const tracked = await readTracked()
        failure = undefined
        return accept(tracked)
      } catch (error) {
        return fail(error)
      }
    },
  }
}

const missingState = 'error svc/transaction-not-found'

type ComparisonDependencies = Pick<Dependencies, 'chain' | 'streams'> & {
  /** Aborts when the stream ends. */
  readonly client: AbortSignal | undefined
}

/**
 * Creates the function that returns whether the nodes must be asked about a transaction now, because a block concerns it or a
 * poll is due. A poll that no block causes waits for a slot of its key, or until a block concerns the transaction.
 */
function createComparison({ chain, streams: { takePoll }, client }: ComparisonDependencies) {
  let comparedHash: Hex | undefined
  /** Compares a transaction with the blocks since the last comparison. */
  async function findNews(known: KnownTransaction): Promise<'match' | 'none' | 'unknown'> {
    const head = chain.heads.find()?.hash
    const news = comparedHash === undefined ? 'unknown' : await chain.transactions.findNews(known, comparedHash)
    comparedHash = head
    return news
  }
  return async (known: KnownTransaction, isPoll: boolean): Promise<boolean> => {
    const news = await findNews(known)
    if (news === 'match') return true
    if (news === 'none' && !isPoll) return false
    // The slot comes even if a block cannot be read.
    const isConcerned = async () => (await findNews(known).catch(() => 'unknown')) === 'match'
    return await waitForSlot({ chain, takePoll, isConcerned, client, comparedHash })
  }
}

/** Computes the delays until the next poll of a transaction that no block concerns. */
function createPollDelays(now: () => number) {
  const openedAtMs = now()
  let [missCount, failureCount] = [0, 0]
  const double = (firstMs: number, count: number) => Math.min(maxPollMs, firstMs * 2 ** (count - 1))
  /** Returns the delay after another poll that found no transaction: it doubles each time. */
  function miss(firstMs: number): number {
    missCount += 1
    return double(firstMs, missCount)
  }
  return {
    /** Returns the delay after an error because no node has the transaction. */
    afterMiss: () => miss(firstMissMs),
    /** Returns the delay after any other error: it doubles until a response follows. */
    afterFailure() {
      failureCount += 1
      return double(firstMissMs, failureCount)
    },
    /** Returns the delay after a response; undefined if the blocks show each further change. */
    after(tracked: Tracked): number | undefined {
      failureCount = 0
      if (tracked.status === 'pending' && tracked.visible !== true) return miss(minPollMs)
      missCount = 0
      // The next read shows the current state.
      if (tracked.status === 'reorged') return 0
      if (tracked.status !== 'pending') return isDecided(tracked) ? undefined : maxPollMs
      return Math.min(maxPollMs, Math.max(minPollMs, (now() - openedAtMs) / ageParts))
    },
  }
}

/** Returns whether a block decided the transaction, so that the blocks show each further change. */
function isDecided(tracked: Tracked): boolean {
  return tracked.blockNumber !== undefined || tracked.replacement !== undefined
}

/** Returns what blocks are compared with. */
function toKnown({ cursor, ...tracked }: Tracked): KnownTransaction {
  const { transactionHash: hash, status, from, nonce, replacement } = tracked
  const { blockNumber, finality } = replacement ?? tracked
  // A transaction that a node has, or whose nonce another one claims, is not dropped at its deadline.
  const mayBeDropped = tracked.visible === false && tracked.contested === false && cursor !== undefined
  const deadlineSeconds = mayBeDropped ? parseCursor(cursor).facts.call?.deadlineSeconds : undefined
  return {
    hash: hash as Hex,
    ...(status === 'pending' && { from: from as Address | undefined, nonce, deadlineSeconds }),
    ...(blockNumber !== undefined && { blockNumber: BigInt(blockNumber), finality }),
  }
}

type Dependencies = {
  readonly chain: Chain
  readonly context: Context
  readonly streams: CallerStreams
  /** The position of the transaction at the last event that the client received. */
  readonly resumed: TransactionPosition | undefined
  /** The monotonic clock, in milliseconds. */
  readonly now: () => number
}

function toEvent(data: Tracked, state: TransactionState.TransactionState): TopicEvent {
  const { cursor } = data
  return { data, position: cursor === undefined ? undefined : { state, cursor } }
}

// How long a topic that waits for a slot waits for one block.
const headWaitMs = 2000

/**
 * Waits until there is a slot for a poll, or until a new block concerns the transaction. Then the poll leaves the queue of its
 * key. Returns false if the stream or the chain ends first.
 */
async function waitForSlot({ chain, takePoll, isConcerned, client, comparedHash }: Options): Promise<boolean> {
  const leaving = new AbortController()
  const signal = client ? AbortSignal.any([client, leaving.signal]) : leaving.signal
  const slot = takePoll(signal).then(() => 'slot' as const)
  let seen = comparedHash
  try {
    for (;;) {
      const outcome = await Promise.race([slot, chain.heads.next(headWaitMs, seen, signal)])
      if (!outcome || client?.aborted) return false
      if (outcome === 'slot') return true
      const newest = chain.heads.find()?.hash
      if (newest === seen) continue
      seen = newest
      if (await isConcerned()) return true
    }
  } finally {
    leaving.abort()
  }
}

type Options = Pick<CallerStreams, 'takePoll'> & {
  readonly chain: StreamChain
  /** Compares the transaction with the new blocks. */
  readonly isConcerned: () => Promise<boolean>
  /** Aborts when the stream ends. */
  readonly client: AbortSignal | undefined
  /** The newest block that the transaction was compared with. */
  readonly comparedHash: Hex | undefined
}

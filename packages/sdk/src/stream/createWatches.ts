import type { ChainId, OraclePrices, PoolDetails, Quote, TrackedTransaction } from '../api/schemas.ts'
import { toKeyHeaders } from '../client/createCaller.ts'
import { toHex } from '../client/toHex.ts'
import { assertAnswer } from '../errors/assertAnswer.ts'
import type { AgioQuote, QuoteRequest } from '../quote/AgioQuote.ts'
import { toAgioQuote, type QuoteService } from '../quote/requestQuote.ts'
import { isOver, toStage } from '../tracking/Stage.ts'
import { Connections } from './Connections.ts'
import { createTopicHub, type TopicHub } from './createTopicHub.ts'
import { canShareAmongTabs, SharedSource } from './SharedSource.ts'
import type { StreamData, StreamHandlers, StreamSource, StreamTopic } from './StreamTopic.ts'
import { watchTopic, type WatchOptions } from './watchTopic.ts'

/** Creates the `watch` functions of a service. */
export function createWatches(dependencies: Dependencies): Watches {
  const hub = createSharedHub(dependencies)
  /** Returns the value of an event, which has the form of a procedure's result. */
  const toResult = (procedure: string, data: StreamData): object => {
    const value = withoutTopic(data)
    assertAnswer(procedure, value, dependencies.url)
    return value
  }
  return {
    watchQuote(request, options) {
      const toValue = (data: StreamData) => toAgioQuote(dependencies, request, withoutTopic(data) as Quote)
      return watchTopic(hub, { topic: { topic: 'quote', ...request }, toValue }, options)
    },
    watchPrices({ chainId }, options) {
      const toValue = (data: StreamData) => toResult('oracle.prices', data) as OraclePrices
      return watchTopic(hub, { topic: { topic: 'prices', chainId }, toValue }, options)
    },
    watchPool({ chainId, poolAddress }, options) {
      const toValue = (data: StreamData) => toResult('pools.get', data) as PoolDetails
      return watchTopic(hub, { topic: { topic: 'pool', chainId, poolAddress }, toValue }, options)
    },
    watchTransaction(transaction, options) {
      const toValue = (data: StreamData) => toResult('transaction.track', data) as TrackedTransaction
      const topic: StreamTopic = { topic: 'transaction', ...transaction }
      return watchTopic(
        hub,
        { topic, toValue, isOver: (tracked) => isOver(toStage(tracked)), yieldsEach: true },
        options,
      )
    },
  }
}

type Dependencies = Connections.Options &
  QuoteService & {
    readonly shareTabs?: boolean | undefined
  }

/** The subscriptions of a client. */
export type Watches = {
  /**
   * Watches a quote. Yields a new quote when the amounts change, and when half of the validity has passed. Each quote
   * is checked against the request.
   *
   * @throws `AgioError` from the iteration: errors of the service that a retry cannot fix, `convert/mismatch`
   *
   * @example
   * for await (const quote of agio.watchQuote({ chainId: 84532, tokenIn, tokenOut, amountIn: '100' }, { signal })) show(quote.amountOut)
   */
  watchQuote(request: QuoteRequest, options?: WatchOptions): AsyncIterable<AgioQuote>
  /**
   * Watches the oracle prices of a chain. Yields all prices when one changes.
   *
   * @throws `AgioError` from the iteration
   *
   * @example
   * for await (const { prices } of agio.watchPrices({ chainId: 84532 }, { signal })) show(prices.tAUD?.usd)
   */
  watchPrices(request: { readonly chainId: ChainId }, options?: WatchOptions): AsyncIterable<OraclePrices>
  /**
   * Watches a pool. Yields its state when anything except the block changes.
   *
   * @throws `AgioError` from the iteration
   *
   * @example
   * for await (const pool of agio.watchPool({ chainId: 84532, poolAddress }, { signal })) show(pool.reserves.token0)
   */
  watchPool(request: PoolToWatch, options?: WatchOptions): AsyncIterable<PoolDetails>
  /**
   * Watches a transaction to its end. Yields each transition, including those between two connections. The iteration
   * ends once the transaction is final, replaced for good, or dropped. To continue after a restart, store the `cursor`
   * of the last value.
   *
   * @throws `AgioError` from the iteration
   *
   * @example
   * for await (const { status } of agio.watchTransaction({ chainId: 84532, transactionHash })) show(status)
   */
  watchTransaction(transaction: TransactionToWatch, options?: WatchOptions): AsyncIterable<TrackedTransaction>
}

type PoolToWatch = { readonly chainId: ChainId; readonly poolAddress: `0x${string}` }

/**
 * A transaction to watch. The optional fields identify it among transactions with the same nonce once nodes have
 * forgotten it.
 */
export type TransactionToWatch = {
  readonly chainId: ChainId
  readonly transactionHash: `0x${string}`
  /** Cursor of an earlier value. Replaces all following fields. */
  readonly cursor?: string | undefined
  /** Its sender. Pass `nonce`, too. */
  readonly from?: `0x${string}` | undefined
  readonly nonce?: number | undefined
  /** The signed transaction. Replaces `from` and `nonce`. */
  readonly signedTransaction?: `0x${string}` | undefined
}

function createSharedHub({ shareTabs, ...service }: Dependencies): TopicHub {
  return createTopicHub((handlers) => {
    const { url, allowInsecure, fetch, key } = service
    const options = { url, allowInsecure, fetch, key }
    if (!(shareTabs ?? !fetch) || !canShareAmongTabs()) return new Connections(options, handlers)
    return createSharedSource(options, handlers)
  })
}

/** Creates a source that is shared by the tabs with the same service and key. */
function createSharedSource(options: Connections.Options, handlers: StreamHandlers): StreamSource {
  let wanted: readonly StreamTopic[] = []
  let source: StreamSource | undefined
  async function join(): Promise<void> {
    const name = await toChannelName(options)
    source = new SharedSource(
      name,
      handlers,
      (sourceHandlers, findLastEventId) => new Connections({ ...options, findLastEventId }, sourceHandlers),
    )
    source.setTopics(wanted)
  }
  const joining = join()
  joining.catch((error: unknown) => handlers.onEnd(error as Error, wanted))
  return {
    setTopics(topics) {
      wanted = topics
      source?.setTopics(topics)
    },
  }
}

/** Returns the channel name for tabs with the same service and key. The key is hashed. */
async function toChannelName({ url, key }: Connections.Options): Promise<string> {
  const secret = new TextEncoder().encode(JSON.stringify(await toKeyHeaders(key)))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', secret))
  return `agio ${url} ${toHex(digest.slice(0, 8))}`
}

function withoutTopic(data: StreamData): object {
  const { topic: _, ...rest } = data
  if (!('index' in rest)) return rest
  const { index: __, ...value } = rest
  return value
}

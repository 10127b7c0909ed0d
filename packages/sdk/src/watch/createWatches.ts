import type { AgioApi } from '../api/AgioApi.ts'
import type { ChainId, OraclePrices, PoolDetails, Quote, TrackedTransaction } from '../api/schemas.ts'
import type { AgioOptions } from '../client/AgioOptions.ts'
import { toKeyHeaders } from '../client/createCaller.ts'
import type { AgioQuote, QuoteRequest } from '../quote/AgioQuote.ts'
import { toAgioQuote } from '../quote/requestQuote.ts'
import { isOver, toStage } from '../track/Stage.ts'
import { createConnections } from './createConnections.ts'
import { createTopicHub, type TopicHub } from './createTopicHub.ts'
import { canShareAmongTabs, shareAmongTabs } from './shareAmongTabs.ts'
import type { StreamData, StreamHandlers, StreamSource, StreamTopic } from './StreamTopic.ts'
import { watchTopic } from './watchTopic.ts'
import type { WatchOptions } from './WatchOptions.ts'

/** Creates what watches a service over its streams. */
export function createWatches(settings: createWatches.Settings): Watches {
  const { api } = settings
  const hub = createSharedHub(settings)
  return {
    watchQuote(request, options) {
      const toValue = (data: StreamData) => toAgioQuote(api, request, withoutTopic(data) as Quote)
      return watchTopic(hub, { topic: { topic: 'quote', ...request }, toValue }, options)
    },
    watchPrices({ chainId }, options) {
      const toValue = (data: StreamData) => withoutTopic(data) as OraclePrices
      return watchTopic(hub, { topic: { topic: 'prices', chainId }, toValue }, options)
    },
    watchPool({ chainId, poolAddress }, options) {
      const toValue = (data: StreamData) => withoutTopic(data) as PoolDetails
      return watchTopic(hub, { topic: { topic: 'pool', chainId, poolAddress }, toValue }, options)
    },
    watchTransaction(transaction, options) {
      const toValue = (data: StreamData) => withoutTopic(data) as TrackedTransaction
      const topic: StreamTopic = { topic: 'transaction', ...transaction }
      return watchTopic(hub, { topic, toValue, isOver: (tracked) => isOver(toStage(tracked)), isEach: true }, options)
    },
  }
}

export declare namespace createWatches {
  type Settings = createConnections.Settings & Pick<AgioOptions, 'shareTabs'> & { readonly api: AgioApi }
}

export type Watches = {
  /**
   * Watches a quote: a new one when its amounts change, and once half of its validity has passed. Each is compared with the request.
   *
   * @throws `AgioError` from the iteration: that of the service where a retry cannot help, `convert/mismatch`
   *
   * @example
   * for await (const quote of agio.watchQuote({ chainId: 84532, tokenIn, tokenOut, amountIn: '100' }, { signal })) show(quote.amountOut)
   */
  watchQuote(request: QuoteRequest, options?: WatchOptions): AsyncIterable<AgioQuote>
  /** Watches the oracle prices of a chain: all of them when one changes. @throws `AgioError` from the iteration */
  watchPrices(request: { readonly chainId: ChainId }, options?: WatchOptions): AsyncIterable<OraclePrices>
  /** Watches a pool: its state when anything but the block changes. @throws `AgioError` from the iteration */
  watchPool(request: PoolToWatch, options?: WatchOptions): AsyncIterable<PoolDetails>
  /**
   * Watches a transaction to its end: each transition, also of the time between two connections. The iteration ends once nothing can
   * change it any more: it is final, replaced for good, or dropped. Store the `cursor` of the last value to go on after a restart.
   *
   * @throws `AgioError` from the iteration
   *
   * @example
   * for await (const { status } of agio.watchTransaction({ chainId: 84532, transactionHash })) show(status)
   */
  watchTransaction(transaction: TransactionToWatch, options?: WatchOptions): AsyncIterable<TrackedTransaction>
}

type PoolToWatch = { readonly chainId: ChainId; readonly poolAddress: `0x${string}` }

/** A transaction, with what distinguishes it from others of its nonce once nodes have forgotten it. */
export type TransactionToWatch = {
  readonly chainId: ChainId
  readonly transactionHash: `0x${string}`
  /** Of an earlier value, in the place of all that follows. */
  readonly cursor?: string | undefined
  /** Its sender, with `nonce`. */
  readonly from?: `0x${string}` | undefined
  readonly nonce?: number | undefined
  /** The transaction itself, in the place of `from` and `nonce`. */
  readonly signedTransaction?: `0x${string}` | undefined
}

function createSharedHub({ url, fetch, key, shareTabs = !fetch }: createWatches.Settings): TopicHub {
  return createTopicHub((handlers) => {
    const settings = { url, fetch, key }
    if (!shareTabs || !canShareAmongTabs()) return createConnections(settings, handlers)
    return createSharedSource(settings, handlers)
  })
}

/** Creates the source that tabs share whose service and key are the same. */
function createSharedSource(settings: createConnections.Settings, handlers: StreamHandlers): StreamSource {
  let wanted: readonly StreamTopic[] = []
  let source: StreamSource | undefined
  async function join(): Promise<void> {
    const name = await toChannelName(settings)
    source = shareAmongTabs(name, handlers, (own, getLastEventId) =>
      createConnections({ ...settings, getLastEventId }, own),
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

/** Returns the name of the channel of tabs with the same service and key, in which the key is hashed. */
async function toChannelName({ url, key }: createConnections.Settings): Promise<string> {
  const secret = new TextEncoder().encode(JSON.stringify(await toKeyHeaders(key)))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', secret))
  return `agio ${url} ${Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function withoutTopic(data: StreamData): object {
  const { topic: _, ...rest } = data
  if (!('index' in rest)) return rest
  const { index: __, ...value } = rest
  return value
}

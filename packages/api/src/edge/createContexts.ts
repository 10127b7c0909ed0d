import { Client, Errors, Tier, type ServiceError } from '@agio/core'
import type { ApiKey, Store } from '@agio/store'
import type { Caller } from '../admission/Caller.ts'
import { findClientAddress } from '../admission/resolveAddress.ts'
import type { HttpExchange } from '../http/HttpExchange.ts'
import { NodeUse } from '../http/NodeUse.ts'
import type { Quotes } from '../quote/createQuotes.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import type { CallerStreams, Streams } from '../stream/Streams.ts'
import type { Context } from '../procedure/Context.ts'
import type { KeyLimiter } from '../admission/createKeyLimiter.ts'
import type { NodeBudgets } from '../admission/createNodeBudgets.ts'
import type { NodeSlots } from '../admission/createNodeSlots.ts'
import type { Health } from '../health/toHealth.ts'

/** Returns the function that creates the context of an admitted request, over REST, tRPC and streams. */
export function createContexts({
  chains,
  store,
  quotes,
  webhookTargets,
  auditDays,
  nodeBudgets: { find: findNodeBudget },
  nodeSlots,
  trustedProxies,
  now = () => Date.now(),
  monotonicMs = () => performance.now(),
}: createContexts.Dependencies): CreateContext {
  const findAddress: Context['findAddress'] = ({ request, address }) =>
    findClientAddress(request.headers, address, trustedProxies)
  return (exchange, { operator, keyId, key }, streams) => {
    const { request, requestId } = exchange
    return {
      chains,
      store,
      quotes,
      webhookTargets,
      auditDays,
      client: key ? new KeyClient(request, key, nodeSlots) : request,
      streams,
      operator,
      keyId,
      findNodeBudget,
      requestId,
      exchange,
      findAddress,
      isInputInUrl: request.method === 'GET',
      now,
      monotonicMs,
    }
  }
}

export declare namespace createContexts {
  type Dependencies = Pick<
    AppSettings,
    'chains' | 'store' | 'now' | 'monotonicMs' | 'webhookTargets' | 'auditDays' | 'trustedProxies'
  > & {
    readonly quotes: Quotes
    readonly nodeBudgets: NodeBudgets
    readonly nodeSlots: NodeSlots
  }
}

/** The client of a request with a key. Its getters create what they return only when a read of a node needs it. */
class KeyClient implements Client.Client {
  readonly key: ApiKey
  readonly #request: Client.Client
  readonly #slots: NodeSlots
  /** What the request has used of the nodes; undefined until its first read. */
  nodeUse: NodeUse | undefined

  constructor(request: Client.Client, key: ApiKey, slots: NodeSlots) {
    this.#request = request
    this.key = key
    this.#slots = slots
  }
  get signal(): AbortSignal {
    return this.#request.signal
  }
  get inSlot(): Client.InSlot {
    return this.#slots.inSlotOf(this.key, (this.nodeUse ??= new NodeUse()))
  }
  addNode(position: number): void {
    this.nodeUse?.addNode(position)
  }
}

/** Creates the context of an admitted request. `streams` is only present if the request opens a stream. */
export type CreateContext = (exchange: HttpExchange, caller: Caller, streams?: CallerStreams) => Context

// Usage counts the events of quotes as this operation, and metrics count the node requests of quotes as it.
const quoteOperation = 'stream.quote'
// Metrics count the polls of transactions as this operation.
const pollOperation = 'stream.transaction'

/** Creates the function that returns the streams of a caller. */
export function createCallerStreams({
  keys,
  streams,
  ...dependencies
}: createCallerStreams.Dependencies): OpenCallerStreams {
  const { limitKey, nodeBudgets, getHealth } = dependencies
  return (exchange, { key }) => {
    const { credentials, requestId, trace } = exchange
    const { apiKey } = credentials
    if (!key || apiKey === null) throw Errors.internal({ action: 'open a stream', reason: 'it has no key' })
    // Within the response of a subscription, tRPC would send the error as an event, with status 200.
    streams.assertRoom()
    const secretHash = keys.hash(apiKey)
    const caller = {
      keyId: key.id,
      secretHash,
      findRefusal: (changed: ApiKey) => dependencies.findRefusal(exchange, changed),
      limit: Tier.maxStreams(key.tier, key.limits),
      requestId,
      trace,
    }
    return {
      share: streams.share,
      takePoll: (signal) => streams.takePoll(key.id, signal),
      // Quotes and polls wait in separate queues, so that quotes do not delay the events of transactions.
      takeQuote: (signal) => streams.takePoll(`quote ${key.id}`, signal),
      getHealth,
      open: (sources, signal) => streams.open(sources, { caller, signal }),
      chargeQuote: () => limitKey.charge(key, quoteOperation),
      chargePoll: () => nodeBudgets.chargePoll(key, pollOperation),
      async beginSearch(client) {
        await streams.takePoll(key.id, client?.signal)
        Client.assertConnected(client)
        await nodeBudgets.chargePoll(key, pollOperation, Tier.searchNodeRequests)
      },
      countSearchRead: () => streams.countRead(key.id),
      chargeQuoteReads: (count) => nodeBudgets.chargePoll(key, quoteOperation, count),
    }
  }
}

export declare namespace createCallerStreams {
  type Dependencies = {
    readonly keys: Pick<Store['keys'], 'hash'>
    readonly streams: Streams
    readonly limitKey: KeyLimiter
    readonly nodeBudgets: NodeBudgets
    /** Returns why a key may not have the stream of a request; undefined while it may. */
    readonly findRefusal: (exchange: HttpExchange, key: ApiKey) => ServiceError | undefined
    readonly getHealth: () => Health
  }
}

/** Returns the streams of the caller of a request. @throws `svc/streams-full` */
export type OpenCallerStreams = (exchange: HttpExchange, caller: Caller) => CallerStreams

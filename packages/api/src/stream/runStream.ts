import type { ServiceError } from '@agio/core'
import { toErrorBody, toFailure, type FailedRequest } from '../errors/toErrorBody.ts'
import type { StreamEnd, StreamNotifier } from './createStreamNotifier.ts'
import { formatStreamCursor, type TransactionPosition } from './streamCursor.ts'
import type { TopicSource, TopicEvent } from './TopicSource.ts'

/**
 * Yields the events of a stream as its reader takes them. A topic is not read again before the reader has taken its last
 * events, so events do not pile up. A slow reader gets the newest state, and all transitions of its transactions in between.
 */
export async function* runStream(
  sources: readonly TopicSource[],
  { request, notifier, onFailure, now = () => performance.now() }: Options,
): AsyncGenerator<StreamEvent | 'heartbeat', void, void> {
  const slots = sources.map((source, index) => createSlot(source, index))
  const toId = () => formatStreamCursor({ blocks: listBlocks(sources), transactions: listPositions(slots) })
  // The topic that was served last comes last: a topic that changes all the time must not hold back other topics.
  const turns = [...slots]
  let sentAtMs = now()
  for (;;) {
    const end = notifier.ended()
    if (end) {
      if (end.reason !== 'gone') yield { id: toId(), ...toLastEvent(end, request) }
      return
    }
    for (const slot of slots) if (isIdle(slot) && slot.source.isDue()) void read(slot)
    const ready = turns.find(({ events }) => events.length > 0)
    const event = ready?.events.shift()
    if (ready && event) {
      turns.splice(turns.indexOf(ready), 1)
      turns.push(ready)
      ready.position = event.position ?? ready.position
      yield { id: toId(), topic: ready.source.topic, data: { index: ready.index, ...event.data } }
      sentAtMs = now()
    } else if (now() - sentAtMs >= heartbeatMs) {
      yield 'heartbeat'
      sentAtMs = now()
    } else await notifier.wait()
  }

  async function read(slot: Slot): Promise<void> {
    slot.isReading = true
    try {
      slot.events = [...(await slot.source.read())]
    } catch (error) {
      onFailure(error)
      slot.events = [{ data: { error: toFailure(toErrorBody(error), request) } }]
    }
    slot.isReading = false
    notifier.notify()
  }
}

type Options = {
  /** The request that opened the stream, for the errors of topics. */
  readonly request: FailedRequest
  readonly notifier: StreamNotifier
  /** Called with the error of a topic. */
  readonly onFailure: (error: unknown) => void
  /** The monotonic clock, in milliseconds. */
  readonly now?: (() => number) | undefined
}

const heartbeatMs = 15_000

/** An event of a stream. */
export type StreamEvent = {
  /** The cursor to continue after this event, as `Last-Event-ID`. */
  readonly id: string
  /**
   * The name of its topic; `reconnect` for the last event of a process that stops, `end` for the last event of a
   * refused key.
   */
  readonly topic: string
  readonly data: object
  /** The error that ends the stream, in an `end` event. */
  readonly refusal?: ServiceError | undefined
}

type Slot = {
  readonly source: TopicSource
  readonly index: number
  isReading: boolean
  /** The events that were read and are not sent yet. */
  events: TopicEvent[]
  /** The position of the transaction at the last event that was sent. */
  position: TransactionPosition | undefined
}

function createSlot(source: TopicSource, index: number): Slot {
  return { source, index, isReading: false, events: [], position: source.resumed }
}

function isIdle({ isReading, events }: Slot): boolean {
  return !isReading && events.length === 0
}

function listBlocks(sources: readonly TopicSource[]) {
  const chains = new Map(sources.flatMap(({ chain }) => (chain ? [[chain.chainId, chain] as const] : [])))
  return [...chains.values()].flatMap((chain) => {
    const head = chain.heads.find()
    return head ? [{ chainId: chain.chainId, number: head.number, hash: head.hash }] : []
  })
}

function listPositions(slots: readonly Slot[]): readonly TransactionPosition[] {
  return slots.flatMap(({ position }) => (position ? [position] : []))
}

const reconnectReasons = { stopping: 'The process stops', restored: 'The local stack was restored' } as const

function toLastEvent(end: Exclude<StreamEnd, { reason: 'gone' }>, request: FailedRequest): Omit<StreamEvent, 'id'> {
  if (end.reason !== 'refused') return { topic: 'reconnect', data: { reason: reconnectReasons[end.reason] } }
  const { refusal } = end
  return { topic: 'end', data: { error: toFailure(toErrorBody(refusal), request) }, refusal }
}

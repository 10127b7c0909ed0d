import type { StreamEvent, StreamTopics } from '../api/schemas.ts'
import type { AgioError } from '../errors/AgioError.ts'

/** A topic that a stream can watch. */
export type StreamTopic = StreamTopics[number]

/** The data of an event of a stream, narrowed by `topic`. */
export type StreamData = ToData<Exclude<StreamEvent, { event: 'end' }>>

type ToData<Event extends StreamEvent> = Event extends { event: infer Topic; data: infer Data }
  ? Data & { topic: Topic }
  : never

/** An event of a topic. */
export type TopicEvent = {
  readonly topic: StreamTopic
  /** The state of the topic, or its current error. */
  readonly data: StreamData
  /** The cursor of the stream after the event. */
  readonly id: string
}

/** The handlers of a source of events. */
export type StreamHandlers = {
  onEvent(event: TopicEvent): void
  /** Called when the stream of some topics is interrupted. It is reopened. */
  onInterrupt(error: AgioError, topics: readonly StreamTopic[]): void
  /** Called when the stream of some topics has ended. Reopening it would fail, too. */
  onEnd(error: Error, topics: readonly StreamTopic[]): void
}

/** A source of events: a connection of this tab, or the connection of another tab. */
export type StreamSource = {
  /** Replaces the watched topics. An empty list closes all connections. */
  setTopics(topics: readonly StreamTopic[]): void
}

/** Returns the key that identifies a topic. */
export function keyOf(topic: StreamTopic): string {
  return JSON.stringify(Object.entries(topic).sort(([left], [right]) => (left < right ? -1 : 1)))
}

import type { StreamEvent, StreamTopics } from '../api/schemas.ts'
import type { AgioError } from '../errors/AgioError.ts'

/** What a stream may watch. */
export type StreamTopic = StreamTopics[number]

/** The data of an event of a stream, which `topic` narrows. */
export type StreamData = ToData<Exclude<StreamEvent, { event: 'end' }>>

type ToData<Event extends StreamEvent> = Event extends { event: infer Topic; data: infer Data }
  ? Data & { topic: Topic }
  : never

/** An event of a topic. */
export type TopicEvent = {
  readonly topic: StreamTopic
  /** The state of the topic, or why it fails now. */
  readonly data: StreamData
  /** The cursor of the stream after it. */
  readonly id: string
}

/** What a source of events tells. */
export type StreamHandlers = {
  onEvent(event: TopicEvent): void
  /** The stream of some topics is interrupted, and opened again. */
  onInterrupt(error: AgioError, topics: readonly StreamTopic[]): void
  /** The stream of some topics has ended, and another one would, too. */
  onEnd(error: Error, topics: readonly StreamTopic[]): void
}

/** A source of events: a connection of its own, or that of another tab. */
export type StreamSource = {
  /** Replaces what is watched. An empty list ends all connections. */
  setTopics(topics: readonly StreamTopic[]): void
}

/** Returns what distinguishes topics. */
export function keyOf(topic: StreamTopic): string {
  return JSON.stringify(Object.entries(topic).sort(([one], [other]) => (one < other ? -1 : 1)))
}

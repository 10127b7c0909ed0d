import type { AgioError } from '../errors/AgioError.ts'
import { keyOf, type StreamHandlers, type StreamSource, type StreamTopic, type TopicEvent } from './StreamTopic.ts'

/**
 * Creates a hub that watches topics for any number of listeners over one source. The source watches each topic that has
 * a listener.
 */
export function createTopicHub(createSource: (handlers: StreamHandlers) => StreamSource) {
  const watched = new Map<string, Watched>()
  const listenersOf = (topic: StreamTopic) => [...(watched.get(keyOf(topic))?.listeners ?? [])]
  let source: StreamSource | undefined
  const handlers: StreamHandlers = {
    onEvent(event) {
      const entry = watched.get(keyOf(event.topic))
      if (entry) entry.last = event
      for (const listener of listenersOf(event.topic)) listener.onEvent(event)
    },
    onInterrupt(error, topics) {
      for (const topic of topics) for (const listener of listenersOf(topic)) listener.onInterrupt(error)
    },
    onEnd(error, topics) {
      for (const topic of topics) for (const listener of listenersOf(topic)) listener.onEnd(error)
    },
  }
  function update(): void {
    source ??= createSource(handlers)
    source.setTopics([...watched.values()].map(({ topic }) => topic))
    // The next source may have another key.
    if (watched.size === 0) source = undefined
  }
  return {
    /** Watches a topic until the returned function is called. */
    watch(topic: StreamTopic, listener: TopicListener): () => void {
      const key = keyOf(topic)
      const existing = watched.get(key)
      const entry: Watched = existing ?? { topic, listeners: new Set(), last: undefined }
      entry.listeners.add(listener)
      watched.set(key, entry)
      // The stream sends the state only when it opens. Later listeners get the last event.
      if (entry.last) listener.onEvent(entry.last)
      if (!existing) update()
      return () => {
        if (!entry.listeners.delete(listener) || entry.listeners.size > 0 || watched.get(key) !== entry) return
        watched.delete(key)
        update()
      }
    },
  }
}

/** Shares one source among all listeners of a page. */
export type TopicHub = ReturnType<typeof createTopicHub>

type Watched = {
  readonly topic: StreamTopic
  readonly listeners: Set<TopicListener>
  last: TopicEvent | undefined
}

type TopicListener = {
  onEvent(event: TopicEvent): void
  onInterrupt(error: AgioError): void
  onEnd(error: Error): void
}

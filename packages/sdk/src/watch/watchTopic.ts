import type { AgioError } from '../errors/AgioError.ts'
import { toAgioError, isServiceFailure } from '../errors/toAgioError.ts'
import type { TopicHub } from './createTopicHub.ts'
import type { StreamData, StreamTopic } from './StreamTopic.ts'
import type { WatchOptions } from './WatchOptions.ts'

/**
 * Iterates the events of a topic until the consumer stops, the signal is aborted, or it is over. Nothing is watched before the first
 * value is requested.
 *
 * @throws the error of the topic or of the stream that cannot pass by itself
 */
export async function* watchTopic<Value>(
  hub: TopicHub,
  { topic, toValue, isOver, isEach = false }: watchTopic.Topic<Value>,
  { signal, onError }: WatchOptions = {},
): AsyncGenerator<Value, void, void> {
  let waiting: StreamData[] = []
  let end: { readonly error: unknown } | undefined
  let wake = () => {}
  let unwatch = () => {}
  const stop = (error: unknown) => {
    end ??= { error }
    // Also while the consumer does something else: the other topics of its connection go on.
    unwatch()
    wake()
  }
  /** An error that the callback throws ends this iteration alone, not the connection of all. */
  const tell = (error: AgioError) => {
    try {
      onError?.(error)
    } catch (thrown) {
      stop(thrown)
    }
  }
  const isEnded = () => end !== undefined
  const onAbort = () => stop(signal?.reason)
  signal?.throwIfAborted()
  signal?.addEventListener('abort', onAbort, { once: true })
  unwatch = hub.watch(topic, {
    onEvent({ data }) {
      const failure = findFailure(data)
      if (failure && !failure.retryable) return stop(failure)
      // A consumer that is slower than the chain gets the newest state, and none that an error has made old.
      const kept = isEach ? waiting : []
      waiting = failure ? kept : [...kept, data]
      if (failure) tell(failure)
      wake()
    },
    onInterrupt: tell,
    onEnd: stop,
  })
  // The last event of the topic may have been its end.
  if (isEnded()) unwatch()
  try {
    for (;;) {
      const data = waiting.shift()
      if (data) {
        const value = toValue(data)
        yield value
        if (isOver?.(value) === true) return
      } else if (end) throw end.error
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    unwatch()
    signal?.removeEventListener('abort', onAbort)
  }
}

export declare namespace watchTopic {
  type Topic<Value> = {
    readonly topic: StreamTopic
    /** Returns the value of the data of an event. */
    readonly toValue: (data: StreamData) => Value
    /** Whether no further value can follow one; never by default. */
    readonly isOver?: ((value: Value) => boolean) | undefined
    /** Whether the consumer gets each event, not only the newest one. */
    readonly isEach?: boolean | undefined
  }
}

/** Returns the error of a topic that fails, which has the shape of an error response. */
function findFailure(data: StreamData): AgioError | undefined {
  if (!('error' in data)) return undefined
  const { error: message, success: _, ...fields } = data.error
  const failure = { message, data: fields }
  return isServiceFailure(failure) ? toAgioError(failure) : undefined
}

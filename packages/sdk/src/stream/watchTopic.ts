import { toAgioError, isServiceFailure, type AgioError } from '../errors/AgioError.ts'
import type { StreamFailure } from '../api/schemas.ts'
import type { TopicHub } from './createTopicHub.ts'
import type { StreamData, StreamTopic } from './StreamTopic.ts'

// The oldest values are dropped.
const maxWaiting = 100

/**
 * Iterates the events of a topic until the consumer stops, the signal is aborted, or the topic has ended. Watching
 * starts when the first value is requested.
 *
 * @throws errors of the topic or the stream that are not temporary
 */
export async function* watchTopic<Value>(
  hub: TopicHub,
  { topic, toValue, isOver, yieldsEach = false }: watchTopic.Topic<Value>,
  { signal, onError, continueOnError = false }: WatchOptions = {},
): AsyncGenerator<Value, void, void> {
  let waiting: StreamData[] = []
  let end: { readonly error: unknown } | undefined
  let wake = () => {}
  let unwatch = () => {}
  const stop = (error: unknown) => {
    end ??= { error }
    // Runs also while the consumer is busy. The other topics of the connection continue.
    unwatch()
    wake()
  }
  /** An error of the callback ends only this iteration, not the shared connection. */
  const reportError = (error: AgioError) => {
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
      if (failure && !failure.retryable && !continueOnError) return stop(failure)
      // A slow consumer gets only the newest state, and no state from before an error.
      const kept = yieldsEach ? waiting : []
      waiting = (failure ? kept : [...kept, data]).slice(-maxWaiting)
      if (failure) reportError(failure)
      wake()
    },
    onInterrupt: reportError,
    onEnd: stop,
  })
  // The last event of the topic may have ended it.
  if (isEnded()) unwatch()
  try {
    for (;;) {
      signal?.throwIfAborted()
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
    /** Converts the data of an event to a value. */
    readonly toValue: (data: StreamData) => Value
    /** Returns whether a value is the last one. Default: never. */
    readonly isOver?: ((value: Value) => boolean) | undefined
    /** Whether the consumer gets each event instead of only the newest. */
    readonly yieldsEach?: boolean | undefined
  }
}

/** Returns the error of a failing topic, which has the shape of an error response. */
function findFailure(data: StreamData): AgioError | undefined {
  if (!('error' in data)) return undefined
  const { error: message, success: _, ...fields } = (data.error ?? {}) as Partial<StreamFailure>
  const failure: unknown = { message, data: fields }
  return isServiceFailure(failure) ? toAgioError(failure) : undefined
}

/** Options of a subscription. */
export type WatchOptions = {
  /** Ends the iteration, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called with temporary errors, after which the iteration continues. Examples: the connection is cut and reopened, or
   * a price is stale. All other errors are thrown.
   */
  readonly onError?: ((error: AgioError) => void) | undefined
  /**
   * Whether the iteration also continues after errors of the topic that a retry cannot fix. `onError` gets them. The
   * topic may recover: an amount may be below the limit of the pool again. Default: false.
   */
  readonly continueOnError?: boolean | undefined
}

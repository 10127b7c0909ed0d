import { useEffect } from 'react'
import { findAgioError } from '../errors/findAgioError.ts'
import type { Query } from '../poll/Poll.ts'
import { useAgio } from '../provider/AgioProvider.tsx'
import { useDebounced } from '../time/useDebounced.ts'
import { usePoll, type Polled } from './usePoll.ts'
import { useStream, type StreamOptions } from './useStream.ts'

/** How a hook keeps its value up to date. */
export type LiveOptions = {
  /**
   * Whether a stream keeps the value up to date, which replaces the reads while it sends. A stream costs one call, and another
   * one after each change of the request. Default: false.
   */
  readonly isLive?: boolean | undefined
  /** Whether the value is read only once, for example while the user is away. */
  readonly isPaused?: boolean | undefined
}

// Each change of the request opens the stream again, so it waits until the user stops typing.
const liveAfterMs = 4000

/**
 * Reads a value again and again, or takes it from a stream while that one sends.
 *
 * @param open returns the values of the stream. Undefined to open none
 */
export function useLivePoll<Data>(
  query: Query<Data> | undefined,
  open: ((options: StreamOptions) => AsyncIterable<Data>) | undefined,
): Polled<Data> & { readonly isStreamed: boolean } {
  const { polls } = useAgio()
  const key = query && JSON.stringify(query.queryKey)
  const watchedKey = open && key
  const settledKey = useDebounced(watchedKey, liveAfterMs)
  const { isLive, failed } = useStream(
    settledKey === watchedKey ? watchedKey : undefined,
    (options) => open?.(options) ?? nothing(),
    (data) => query && polls.put(query, { data }),
  )
  const refusal = failed && isOfTopic(failed.error) ? failed : undefined
  useEffect(() => {
    if (refusal && query) polls.put(query, { error: refusal.error })
    // Only a new refusal is put: a response that comes after it counts more.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [refusal, polls])
  const isStreamed = isLive || refusal !== undefined
  return { ...usePoll(query && isStreamed ? { ...query, refetchInterval: Infinity } : query), isStreamed }
}

async function* nothing(): AsyncGenerator<never> {}

/** Whether an error says why there is no value now. Others only end the stream: then the value is read. */
function isOfTopic(error: unknown): boolean {
  const agioError = findAgioError(error)
  return agioError?.code.startsWith('svc/') === true && !ofStreams.has(agioError.code)
}

const ofStreams: ReadonlySet<string> = new Set([
  'svc/rate-limited',
  'svc/quota-exceeded',
  'svc/streams-full',
  'svc/storage-unavailable',
  'svc/internal',
  'svc/invalid-request',
])

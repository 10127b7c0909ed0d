import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useAgio } from '../provider/AgioProvider.tsx'

/**
 * Watches a topic while the tab is visible, over the stream that all tabs share.
 *
 * @param key identifies the topic. Undefined to watch nothing
 *
 * @param open returns the values
 *
 * @returns whether values arrive, which is false before the first value, and the error since the last value. The topic
 * may recover from it
 */
export function useStream<Value>(
  key: string | undefined,
  open: (options: StreamOptions) => AsyncIterable<Value>,
  onValue: (value: Value) => void,
): StreamState {
  const [state, setState] = useState<StreamState & { readonly watched: string }>()
  const { polls, clock } = useAgio()
  const generation = useSyncExternalStore(polls.onRefresh, polls.getGeneration, polls.getGeneration)
  const isVisible = useSyncExternalStore(
    subscribe,
    () => !document.hidden,
    () => false,
  )
  const watched = key === undefined || !isVisible ? undefined : `${generation} ${key}`
  const newest = useRef({ open, onValue })
  useEffect(() => {
    newest.current = { open, onValue }
  })
  useEffect(() => {
    if (watched === undefined) return undefined
    const controller = new AbortController()
    const set = (isLive: boolean, failed?: StreamState['failed']) => setState({ watched, isLive, failed })
    const fail = (error: unknown) => {
      if (!controller.signal.aborted) set(false, { error, at: clock.now() })
    }
    const options = { signal: controller.signal, onError: fail, continueOnError: true } as const
    async function watch(): Promise<void> {
      for await (const value of newest.current.open(options)) {
        newest.current.onValue(value)
        set(true)
      }
    }
    watch().catch(fail)
    return () => controller.abort()
  }, [watched, clock])
  return watched !== undefined && state?.watched === watched ? state : closed
}

const closed: StreamState = { isLive: false, failed: undefined }

type StreamState = {
  readonly isLive: boolean
  /** The error since the last value, and its time in milliseconds. */
  readonly failed: { readonly error: unknown; readonly at: number } | undefined
}

/** The options of a subscription of the SDK. */
export type StreamOptions = {
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
  readonly continueOnError: true
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}

import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useSession } from '../session/session.ts'

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
  const [state, setState] = useState<StreamState & { readonly key: string }>()
  const apiKey = useSession((session) => session.apiKey)
  const isVisible = useIsVisible()
  const newest = useRef({ open, onValue })
  useEffect(() => {
    newest.current = { open, onValue }
  })
  useEffect(() => {
    if (key === undefined || !isVisible || apiKey === '') return undefined
    const controller = new AbortController()
    const set = (isLive: boolean, failed?: StreamState['failed']) => setState({ key, isLive, failed })
    const fail = (error: unknown) => set(false, { error, at: Date.now() })
    const options = { signal: controller.signal, onError: fail, continueOnError: true } as const
    async function watch(): Promise<void> {
      for await (const value of newest.current.open(options)) {
        newest.current.onValue(value)
        set(true)
      }
    }
    watch().catch((error: unknown) => {
      if (!controller.signal.aborted) fail(error)
    })
    return () => controller.abort()
  }, [key, isVisible, apiKey])
  return key !== undefined && isVisible && state?.key === key ? state : closed
}

const closed: StreamState = { isLive: false, failed: undefined }

type StreamState = {
  readonly isLive: boolean
  /** The error since the last value, and its time in milliseconds. */
  readonly failed: { readonly error: unknown; readonly at: number } | undefined
}

type StreamOptions = {
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
  readonly continueOnError: true
}

/** Returns whether the tab is visible. */
function useIsVisible(): boolean {
  return useSyncExternalStore(subscribe, () => !document.hidden)
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}

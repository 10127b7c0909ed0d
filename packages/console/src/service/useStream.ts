import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useSession } from '../session/session.ts'

/**
 * Watches a topic while the tab is visible, over the stream that all tabs share.
 *
 * @param key identifies the topic. Undefined to watch nothing
 *
 * @param open returns the values
 *
 * @returns whether values arrive. False before the first value, and after an interruption or an error. The page then
 * polls instead
 */
export function useStream<Value>(
  key: string | undefined,
  open: (options: StreamOptions) => AsyncIterable<Value>,
  onValue: (value: Value) => void,
): boolean {
  const [liveKey, setLiveKey] = useState<string>()
  const apiKey = useSession((session) => session.apiKey)
  const isVisible = useIsVisible()
  const newest = useRef({ open, onValue })
  useEffect(() => {
    newest.current = { open, onValue }
  })
  useEffect(() => {
    if (key === undefined || !isVisible || apiKey === '') return undefined
    const controller = new AbortController()
    const interrupt = () => setLiveKey(undefined)
    async function watch(): Promise<void> {
      for await (const value of newest.current.open({ signal: controller.signal, onError: interrupt })) {
        newest.current.onValue(value)
        setLiveKey(key)
      }
    }
    // The polling query shows the error if the stream fails.
    watch().catch(interrupt)
    return () => controller.abort()
  }, [key, isVisible, apiKey])
  return key !== undefined && isVisible && liveKey === key
}

type StreamOptions = { readonly signal: AbortSignal; readonly onError: () => void }

/** Returns whether the tab is visible. */
function useIsVisible(): boolean {
  return useSyncExternalStore(subscribe, () => !document.hidden)
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}

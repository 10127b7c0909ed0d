import { useEffect, useRef, useState } from 'react'
import { useSession } from '../session/session.ts'
import { useIsVisible } from '../time/useIsVisible.ts'

/**
 * Watches something while the tab is shown, over the one stream of all tabs.
 *
 * @param key of what is watched; undefined to watch nothing
 * @param open returns its values
 * @returns whether values come: false before the first one, and after an interruption or a refusal, when the page polls as it did before
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
    // What the stream refuses is shown by the query that polls instead.
    watch().catch(interrupt)
    return () => controller.abort()
  }, [key, isVisible, apiKey])
  return key !== undefined && isVisible && liveKey === key
}

type StreamOptions = { readonly signal: AbortSignal; readonly onError: () => void }

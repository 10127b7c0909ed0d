import { useAgio, type ConversionsState } from '@agio/react/internal'
import { useSyncExternalStore } from 'react'

export type { PageConversion } from '@agio/react/internal'

/** Returns a part of the conversions of this browser. The part must be equal as long as it has not changed. */
export function useConversions<Part>(select: (state: ConversionsState) => Part): Part {
  const { conversions } = useAgio()
  return useSyncExternalStore(conversions.subscribe, () => select(conversions.getState()))
}

import { useSyncExternalStore } from 'react'
import type { ConversionsState, PageConversion } from '../conversion/PageConversion.ts'
import { useAgio } from '../provider/AgioProvider.tsx'

/**
 * Returns the conversions of this browser, newest first: those that run, those that are stored, and the last twenty that have
 * ended. Conversions of other tabs are among them.
 *
 * @example
 * return useConversions().map(({ id, quote }) => <li key={id}>{quote.amountIn}</li>)
 */
export function useConversions(): readonly PageConversion[] {
  const { conversions } = useAgio()
  return useSyncExternalStore(conversions.subscribe, conversions.getState, getNone).conversions
}

const none: ConversionsState = { conversions: [], unreadable: [] }

/** A server knows no conversions. The page shows them after it is hydrated. */
function getNone(): ConversionsState {
  return none
}

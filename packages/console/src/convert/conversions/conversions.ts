import { type ConversionsState, type Finality, type Outlook, useAgio } from '@agio/react/internal'
import type { Step } from '@agio/sdk'
import { useState, useSyncExternalStore } from 'react'
import { createStore } from 'zustand'
import { defineStore } from '../../settings/console.ts'
import { useFinality } from '../../service/useFinality.ts'

export type { PageConversion } from '@agio/react/internal'

/** Returns a part of the conversions of this browser. The part must be equal as long as it has not changed. */
export function useConversions<Part>(select: (state: ConversionsState) => Part): Part {
  const { conversions } = useAgio()
  return useSyncExternalStore(conversions.subscribe, () => select(conversions.getState()))
}

/** The store of the conversion that a narrow page shows in place of the form, by its id. */
export const useShownConversion = defineStore(() =>
  createStore<Shown>((set) => ({ id: undefined, show: (id) => set({ id }) })),
)

type Shown = { readonly id: string | undefined; show(id: string | undefined): void }

/** Returns the id of the card of a conversion. */
export function toCardId(id: string): string {
  return `conversion-${id}`
}

// Chains do not remove older blocks.
const followedMs = 3_600_000

/** Follows the receipt of a conversion that is done to its finality. */
export function useFinalityOf(step: Step | undefined, outlook: Outlook): Finality | undefined {
  const [openedAt] = useState(() => Date.now())
  const isFollowed = step && outlook.kind === 'done' && openedAt - Date.parse(step.at) < followedMs
  const { finality } = useFinality(
    isFollowed ? { chainId: step.state.chainId, transactionHash: outlook.receipt.transactionHash } : undefined,
  )
  return finality
}

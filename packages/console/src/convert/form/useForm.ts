import { Decimal, findPair, type Pair, swapTokens } from '@agio/react/internal'
import type { Chain, ConversionMode } from '@agio/sdk'
import { createStore } from 'zustand'
import { createJSONStorage, persist } from 'zustand/middleware'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { defineStore, useConsole } from '../../settings/console.ts'

/** The store of the entered values. They survive a reload of the tab. A link may enter them, and no URL keeps them. */
export const useForm = defineStore(({ sessionStore }) =>
  createStore<Form>()(
    persist(
      (set) => ({
        pairs: {},
        mode: 'exact-in',
        text: '',
        sentId: undefined,
        setPair: (chainId, pair) => set(({ pairs }) => ({ pairs: { ...pairs, [chainId]: pair } })),
        setText: (mode, text) => set({ mode, text, sentId: undefined }),
        setSent: (sentId) => set({ sentId }),
        // The typed amount becomes the amount to pay.
        flip: (chainId, pair) =>
          set(({ pairs }) => ({
            mode: 'exact-in',
            sentId: undefined,
            pairs: { ...pairs, [chainId]: swapTokens(pair) },
          })),
      }),
      {
        name: 'agio.convert',
        version: 1,
        storage: createJSONStorage(() => sessionStore),
        // After a reload during a conversion, the amount is empty, so that the page does not offer the same conversion
        // again.
        partialize: ({ pairs, mode, text, sentId }) => ({ pairs, mode, text: sentId === undefined ? text : '' }),
      },
    ),
  ),
)

type Form = {
  /** The selected tokens, by chain id. */
  readonly pairs: Readonly<Partial<Record<number, Pair>>>
  /** The side that the user has typed. `exact-in` is the amount to pay. */
  readonly mode: ConversionMode
  /** The typed text. */
  readonly text: string
  /** Id of the conversion that was started from the form. */
  readonly sentId: string | undefined
  setPair(chainId: number, pair: Pair): void
  setText(mode: ConversionMode, text: string): void
  setSent(id: string | undefined): void
  /** Swaps the tokens. The typed amount becomes the amount to pay. */
  flip(chainId: number, pair: Pair): void
}

/**
 * Enters the tokens and the amount of a link such as `?from=tAUD&to=tUSD&amount=100`, and removes them from the URL. A link
 * chooses neither the recipient nor the tolerance.
 */
export function useFormOfUrl(chain: Chain | undefined): void {
  const [search, setSearch] = useSearchParams()
  const [from, to, amount] = names.map((name) => search.get(name) ?? undefined)
  const console = useConsole()
  useEffect(() => {
    if (!chain || (from ?? to ?? amount) === undefined) return
    const { setPair, setText } = useForm.of(console).getState()
    const [tokenIn, tokenOut] = findPair(chain.tokens, { tokenIn: from, tokenOut: to })
    if ((from ?? to) !== undefined && tokenIn && tokenOut) {
      setPair(chain.chainId, { tokenIn: tokenIn.address, tokenOut: tokenOut.address })
    }
    if (amount !== undefined && /^\d+(\.\d+)?$/.test(amount)) setText('exact-in', Decimal.localize(amount))
    const remove = (params: URLSearchParams) => {
      for (const name of names) params.delete(name)
      return params
    }
    setSearch(remove, { replace: true })
  }, [chain, from, to, amount, setSearch, console])
}

const names = ['from', 'to', 'amount'] as const

import type { ConversionMode } from '@agio/sdk'
import { create } from 'zustand'
import { persist, createJSONStorage } from 'zustand/middleware'
import { swapTokens, type Pair } from './pair.ts'

/** What the user has entered. It outlives a reload of the tab, and is never in a URL. */
export const useForm = create<Form>()(
  persist(
    (set) => ({
      pairs: {},
      mode: 'exact-in',
      text: '',
      sentId: undefined,
      setPair: (chainId, pair) => set(({ pairs }) => ({ pairs: { ...pairs, [chainId]: pair } })),
      setText: (mode, text) => set({ mode, text, sentId: undefined }),
      setSent: (sentId) => set({ sentId }),
      // What was typed on either side is then the amount to pay.
      flip: (chainId, pair) =>
        set(({ pairs }) => ({ mode: 'exact-in', sentId: undefined, pairs: { ...pairs, [chainId]: swapTokens(pair) } })),
    }),
    {
      name: 'agio.convert',
      version: 1,
      storage: createJSONStorage(() => sessionStorage),
      // A page that is reloaded while it converts shows the conversion, and does not offer another one of the same amount.
      partialize: ({ pairs, mode, text, sentId }) => ({ pairs, mode, text: sentId === undefined ? text : '' }),
    },
  ),
)

type Form = {
  /** The selected tokens, by chain id. */
  readonly pairs: Readonly<Partial<Record<number, Pair>>>
  /** The side that the user has typed: `exact-in` the amount to pay. */
  readonly mode: ConversionMode
  /** What the user has typed. */
  readonly text: string
  /** Id of the conversion that was started with it. */
  readonly sentId: string | undefined
  setPair(chainId: number, pair: Pair): void
  setText(mode: ConversionMode, text: string): void
  setSent(id: string | undefined): void
  /** Swaps the tokens. The amount stays, as the one to pay. */
  flip(chainId: number, pair: Pair): void
}

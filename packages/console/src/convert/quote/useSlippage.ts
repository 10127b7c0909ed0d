import { create } from 'zustand'
import { defaultSlippageBps } from './slippage.ts'

const name = 'agio.slippage-bps'

/** The tolerance of quotes in basis points, as long as the tab lives. */
export const useSlippage = create<Slippage>((set) => ({
  bps: readStored(),
  setBps(bps) {
    sessionStorage.setItem(name, String(bps))
    set({ bps })
  },
}))

type Slippage = { readonly bps: number; setBps(bps: number): void }

function readStored(): number {
  const text = sessionStorage.getItem(name) ?? ''
  return /^\d{1,4}$/.test(text) ? Number(text) : defaultSlippageBps
}

import { create } from 'zustand'
import { defaultSlippageBps } from './slippage.ts'

const name = 'agio.slippage-bps'

/** The store of the slippage tolerance in basis points. It lives as long as the tab. */
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

import type { ConvertOptions } from '@agio/sdk'
import { createStore } from 'zustand'
import { defineStore } from '../../settings/console.ts'
import type { BrowserStorage } from '../../storage/browserStorage.ts'
import { defaultSlippageBps } from './slippage.ts'

const name = 'agio.slippage-bps'

/** The default of each setting. */
export const defaultSettings = {
  slippageBps: defaultSlippageBps,
  validForSeconds: 60,
  recipient: undefined,
  approval: 'shortest',
} as const satisfies Settings

/**
 * The store of the settings of conversions. The tolerance lives as long as the tab. The others live as long as the page, so
 * that a forgotten recipient does not receive later conversions. No URL sets them.
 */
export const useConvertSettings = defineStore(({ sessionStore }) =>
  createStore<Settings & { change(settings: Partial<Settings>): void }>((set) => ({
    ...defaultSettings,
    slippageBps: readStored(sessionStore),
    change(settings) {
      if (settings.slippageBps !== undefined) sessionStore.setItem(name, String(settings.slippageBps))
      set(settings)
    },
  })),
)

/** What a user chooses about conversions, besides tokens and amount. */
export type Settings = {
  /** Tolerance in basis points. */
  readonly slippageBps: number
  /** Seconds from the quote to the deadline of its transaction. */
  readonly validForSeconds: number
  /** The account that receives. Undefined for the account that pays. */
  readonly recipient: `0x${string}` | undefined
  readonly approval: NonNullable<ConvertOptions['approval']>
}

function readStored(sessionStore: BrowserStorage): number {
  const text = sessionStore.getItem(name) ?? ''
  return /^\d{1,4}$/.test(text) ? Number(text) : defaultSlippageBps
}

import { createStore } from 'zustand'
import { defineStore } from '../settings/console.ts'

const name = 'agio.api-key'

/**
 * The store of the keys. The API key lives as long as the tab, the admin key only as long as the page. Neither key
 * appears in a URL, a recorded call or an error.
 */
export const useSession = defineStore(({ settings, sessionStore }) =>
  createStore<Session>((set) => ({
    apiKey: sessionStore.getItem(name) ?? settings.local?.apiKey ?? '',
    adminKey: '',
    setApiKey(apiKey) {
      if (apiKey === '') sessionStore.removeItem(name)
      else sessionStore.setItem(name, apiKey)
      set({ apiKey })
    },
    setAdminKey: (adminKey) => set({ adminKey }),
  })),
)

type Session = {
  /** Empty until the user enters a key. On a local stack, the key of the stack. */
  readonly apiKey: string
  /** Empty until the user enters a key. */
  readonly adminKey: string
  setApiKey(apiKey: string): void
  setAdminKey(adminKey: string): void
}

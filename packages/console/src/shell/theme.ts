import { create } from 'zustand'
import { localStore } from '../storage/browserStorage.ts'

const name = 'agio.theme'
const themes = ['system', 'light', 'dark'] as const

/** The name of a theme. */
export type Theme = (typeof themes)[number]

/** The store of the colour theme. Default: the theme of the system. */
export const useTheme = create<{ readonly theme: Theme; showNext(): void }>((set, get) => ({
  theme: readStored(),
  showNext() {
    const theme = themes[(themes.indexOf(get().theme) + 1) % themes.length] ?? 'system'
    localStore.setItem(name, theme)
    set({ theme })
    apply(theme)
  },
}))

/** Applies the stored theme. Call it once before the first drawing. */
export function applyStoredTheme(): void {
  apply(readStored())
}

function readStored(): Theme {
  const stored = localStore.getItem(name)
  return themes.find((theme) => theme === stored) ?? 'system'
}

function apply(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
}

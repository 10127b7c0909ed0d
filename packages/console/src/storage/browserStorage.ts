/**
 * What the browser keeps for the page, and for its tab. A browser that refuses, since its storage is full or not allowed, keeps
 * nothing: the page works without it.
 */
export const localStore = tolerate(() => localStorage)
export const sessionStore = tolerate(() => sessionStorage)

export type BrowserStorage = {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
  /** Lists the names of all that is kept. */
  listNames(): readonly string[]
}

/** Makes a storage that does nothing where the given one throws. */
export function tolerate(getStorage: () => Storage): BrowserStorage {
  return {
    getItem: (name) => attempt(() => getStorage().getItem(name), null),
    setItem: (name, value) => attempt(() => getStorage().setItem(name, value), undefined),
    removeItem: (name) => attempt(() => getStorage().removeItem(name), undefined),
    listNames: () => attempt(() => Object.keys(getStorage()), []),
  }
}

function attempt<Value>(act: () => Value, otherwise: Value): Value {
  try {
    return act()
  } catch {
    return otherwise
  }
}

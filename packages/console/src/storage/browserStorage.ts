/** A storage of the browser whose methods never throw. */
export type BrowserStorage = {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
  /** Lists the names of all stored values. */
  listNames(): readonly string[]
}

/** Returns a storage that ignores the errors of the given storage: if that one is full or not allowed, nothing is stored. */
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

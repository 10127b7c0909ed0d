import type { Step } from '@agio/sdk'

/** The newest step of each conversion that has not ended. */
export function createStore() {
  const prefix = 'conversion:'
  const read = (key: string) => JSON.parse(localStorage.getItem(key)!) as Step
  return {
    list: () =>
      Object.keys(localStorage)
        .filter((key) => key.startsWith(prefix))
        .map(read),
    set: (step: Step) => localStorage.setItem(prefix + step.conversionId, JSON.stringify(step)),
    remove: (id: string) => localStorage.removeItem(prefix + id),
  }
}

export type Store = ReturnType<typeof createStore>

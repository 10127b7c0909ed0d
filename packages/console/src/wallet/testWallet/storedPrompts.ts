import { createRunAlone } from '@agio/react/internal'
import type { Prompt } from '@agio/sdk/testing'
import type { BrowserStorage } from '../../storage/browserStorage.ts'

const runAlone = createRunAlone()
const prefix = 'agio.test-wallet.prompt.'

/** The request of a prompt. */
export type StoredRequest = Pick<Prompt, 'method' | 'params'>

/**
 * Stores a request while its prompt is shown, so that it is prompted again after a reload. Only one tab shows it at a
 * time. Another tab takes it over if this tab is closed without an answer.
 */
export async function whileStored<Result>(
  localStore: BrowserStorage,
  request: StoredRequest,
  show: () => Promise<Result>,
): Promise<Result> {
  // The random id allows equal requests. The time before it keeps the order.
  const name = `${prefix}${Date.now()}.${Math.random()}`
  return await runAlone(name, async (linger) => {
    localStore.setItem(name, JSON.stringify(request))
    const result = await show()
    localStore.removeItem(name)
    linger()
    return result
  })
}

/**
 * Takes over unanswered requests of closed or reloaded tabs, oldest first. It includes requests that other tabs store
 * later.
 */
export function takeStored(localStore: BrowserStorage, ask: (request: StoredRequest) => void): void {
  const take = (name: string) => {
    void runAlone(name, async (linger) => {
      const request = parseRequest(localStore.getItem(name))
      if (!request) return
      localStore.removeItem(name)
      linger()
      ask(request)
    })
  }
  const isOfRequest = (name: string) => name.startsWith(prefix)
  for (const name of localStore.listNames().filter(isOfRequest).toSorted()) take(name)
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== null && newValue !== null && isOfRequest(key)) take(key)
  })
}

/** Parses a stored request. Returns undefined for any other text. */
export function parseRequest(text: string | null): StoredRequest | undefined {
  try {
    const { method, params } = JSON.parse(text ?? 'null') as StoredRequest
    return typeof method === 'string' && Array.isArray(params) ? { method, params } : undefined
  } catch {
    return undefined
  }
}

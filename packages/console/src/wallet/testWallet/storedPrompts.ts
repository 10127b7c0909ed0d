import type { Prompt } from '@agio/sdk/testing'
import { localStore } from '../../storage/browserStorage.ts'
import { runAlone } from '../../tabs/runAlone.ts'

const prefix = 'agio.test-wallet.prompt.'

/** A request that a prompt is of. */
export type StoredRequest = Pick<Prompt, 'method' | 'params'>

/**
 * Keeps a request as long as its prompt is shown, so that it is asked again after a reload. It is in one tab at a time: the next
 * one asks only if this one is closed without an answer.
 */
export async function whileStored<Result>(request: StoredRequest, show: () => Promise<Result>): Promise<Result> {
  // A random id: the same may be requested twice. The time before it keeps the order.
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
 * Takes over the requests whose tab was closed or reloaded before they were answered, the oldest first: those that are stored now,
 * and those that other tabs store later.
 */
export function takeStored(ask: (request: StoredRequest) => void): void {
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

/** Parses a stored request; undefined for anything else. */
export function parseRequest(text: string | null): StoredRequest | undefined {
  try {
    const { method, params } = JSON.parse(text ?? 'null') as StoredRequest
    return typeof method === 'string' && Array.isArray(params) ? { method, params } : undefined
  } catch {
    return undefined
  }
}

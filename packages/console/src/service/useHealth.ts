import { queryOptions, useQuery } from '@tanstack/react-query'
import { addBlocks, isHealth, type Health, type SeenBlocks } from './Health.ts'
import { createRequestError, requestJson } from './requestJson.ts'
import { toPageMeta } from './trpc.ts'

type ObservedHealth = { readonly health: Health; readonly blocks: SeenBlocks }

const path = '/health'

/** The time between two polls of the health in milliseconds. The service notices a fault within two seconds. */
export const healthIntervalMs = 2000

// The service answers from memory. With the interval, a service that hangs shows within five seconds.
const timeoutMs = 2500

const healthOptions = queryOptions<ObservedHealth>({
  queryKey: [path],
  // The request needs no key and does not count against limits.
  refetchInterval: healthIntervalMs,
  async queryFn({ client, queryKey, signal, meta }) {
    // A service that is down responds with status 503 and its state.
    const health = await requestJson(`${toPageMeta(meta).servicePath}${path}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    if (!isHealth(health)) {
      throw createRequestError({ code: 'network/invalid-response', message: `Cannot read the response of ${path}` })
    }
    return { health, blocks: addBlocks(client.getQueryData<ObservedHealth>(queryKey)?.blocks ?? {}, health) }
  },
})

/** Polls the health of the service and the newest blocks of its chains while the tab is visible. */
export function useHealth() {
  return useQuery(healthOptions)
}

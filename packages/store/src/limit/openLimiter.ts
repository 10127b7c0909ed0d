import { createFailoverLimiter } from './createFailoverLimiter.ts'
import { createMemoryLimiter } from './createMemoryLimiter.ts'
import type { Limiter } from './Limiter.ts'

/**
 * Opens the limiter of a process: by the counts of all processes in Redis, or by its own alone.
 *
 * The client of Redis, a quarter of all modules of the service, is loaded only if it is used.
 *
 * @throws `Error` if the URL is not a Redis URL
 */
export async function openLimiter({ redisUrl, ...settings }: openLimiter.Settings): Promise<Limiter> {
  if (!redisUrl) return createMemoryLimiter()
  const { createRedisStore } = await import('./createRedisStore.ts')
  return await createFailoverLimiter(createRedisStore(redisUrl), settings)
}

export declare namespace openLimiter {
  type Settings = createFailoverLimiter.Settings & {
    /** URL of Redis; without one, the limits are those of this process. */
    readonly redisUrl?: string | undefined
  }
}

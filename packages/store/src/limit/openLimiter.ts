import { createFailoverLimiter } from './createFailoverLimiter.ts'
import { createMemoryCounters, createMemoryLimiter } from './createMemoryLimiter.ts'
import type { ObserveCommand } from './createRedisStore.ts'
import type { Limiter } from './Limiter.ts'

/**
 * Opens the limiter of a process. With a Redis URL it counts the requests of all processes, otherwise only its own
 * requests.
 *
 * The Redis client has a quarter of all modules of the service, so it is loaded only if used.
 *
 * @throws `Error` if the URL is not a Redis URL, or names a Sentinel, a Redis Cluster, or a server that uses TLS otherwise
 */
export async function openLimiter({ redisUrl, monotonicMs, observe, ...options }: Options): Promise<Limiter> {
  if (!redisUrl) return createMemoryLimiter(monotonicMs && createMemoryCounters(monotonicMs))
  const { createRedisStore } = await import('./createRedisStore.ts')
  const store = createRedisStore(redisUrl, observe)
  await (await import('./assertSingleRedis.ts')).assertSingleRedis(redisUrl)
  return await createFailoverLimiter(store, options)
}

type Options = createFailoverLimiter.Options & {
  /** URL of Redis. Without a URL, each process counts on its own. */
  readonly redisUrl?: string | undefined
  /** The monotonic clock of the windows in memory, in milliseconds. Default: the clock of the process. */
  readonly monotonicMs?: (() => number) | undefined
  /** Observes each command of Redis. Default: none. */
  readonly observe?: ObserveCommand | undefined
}

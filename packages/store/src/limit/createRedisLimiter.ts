import { createClient } from '@redis/client'
import type { StoreLog } from '../log/StoreLog.ts'
import { admitScript } from './admitScript.ts'
import type { CountingStore } from './CountingStore.ts'
import { createFailoverLimiter } from './createFailoverLimiter.ts'
import type { Limiter } from './Limiter.ts'

const connectTimeoutMs = 2000
const retryMs = 500

/**
 * Limits requests by the counts of all processes, in Redis, and by those of this process while Redis is unavailable.
 *
 * @throws `Error` if the URL is not a Redis URL
 */
export async function createRedisLimiter({ url, log }: createRedisLimiter.Settings): Promise<Limiter> {
  return await createFailoverLimiter(createRedisStore(url), log)
}

export declare namespace createRedisLimiter {
  type Settings = {
    /** URL of Redis. */
    readonly url: string
    readonly log: StoreLog
  }
}

function createRedisStore(url: string): CountingStore {
  let client = createRedisClient(url)
  let listener: ((error: unknown) => void) | undefined
  async function open(): Promise<void> {
    client.on('error', (error) => listener?.(error))
    await client.connect()
  }
  return {
    name: 'Redis',
    async connect(onError) {
      listener = onError
      await open()
    },
    admit: (subject, windows, cost) => client.admit(subject, windows, cost),
    async reconnect() {
      if (!client.isReady) return
      client.destroy()
      client = createRedisClient(url)
      await open()
    },
    close: () => client.destroy(),
  }
}

function createRedisClient(url: string) {
  try {
    return createClient({
      url,
      disableOfflineQueue: true,
      socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: retryMs },
      scripts: { admit: admitScript },
    })
  } catch {
    // The cause would hold the URL, and with it the password.
    throw new Error('Cannot share limits: REDIS_URL is not a Redis URL')
  }
}

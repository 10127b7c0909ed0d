import { randomBytes } from 'node:crypto'
import { createClient } from '@redis/client'
import { admitScript, toAdmissions } from './admitScript.ts'
import type { CountingStore } from './CountingStore.ts'
import { createFailoverLimiter } from './createFailoverLimiter.ts'
import { exchangeScript } from './exchangeScript.ts'
import { heldKey, holdScript } from './holdScript.ts'
import type { Limiter } from './Limiter.ts'

const connectTimeoutMs = 2000
const retryMs = 500

/**
 * Limits requests by the counts of all processes, in Redis. While Redis is unavailable, this process admits its share of what
 * was left.
 *
 * @throws `Error` if the URL is not a Redis URL
 */
export async function createRedisLimiter({ url, ...settings }: createRedisLimiter.Settings): Promise<Limiter> {
  return await createFailoverLimiter(createRedisStore(url), settings)
}

export declare namespace createRedisLimiter {
  type Settings = createFailoverLimiter.Settings & {
    /** URL of Redis. */
    readonly url: string
  }
}

function createRedisStore(url: string): CountingStore {
  // Short, since every request carries it.
  const processId = randomBytes(6).toString('base64url')
  let cursor = '0'
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
    async admit(request) {
      const counted = await client.admit(processId, request)
      return counted && toAdmissions(request.costs, counted)
    },
    async exchange(counts) {
      const answer = await client.exchange(processId, cursor, counts)
      cursor = answer.cursor ?? cursor
      return answer.entries.flatMap((entry) => (entry.from === processId ? [] : entry.counts))
    },
    hold: (request) => client.hold({ ...request, member: `${processId}:${request.member}` }),
    async release({ subject, member }) {
      await client.zRem(heldKey(subject), `${processId}:${member}`)
    },
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
      scripts: { admit: admitScript, exchange: exchangeScript, hold: holdScript },
    })
  } catch {
    // The cause would hold the URL, and with it the password.
    throw new Error('Cannot share limits: REDIS_URL is not a Redis URL')
  }
}

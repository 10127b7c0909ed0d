import { lt, sql } from 'drizzle-orm'
import type { Database } from './database/Database.ts'
import { openDatabase } from './database/openDatabase.ts'
import { usageWriters } from './database/schema.ts'
import { createKeys, type Keys } from './key/createKeys.ts'
import { pollKeyChanges } from './key/pollKeyChanges.ts'
import type { StoreLog } from './log/StoreLog.ts'
import { createReplicaCount } from './replica/createReplicaCount.ts'
import { createUsage, type Usage } from './usage/createUsage.ts'

/**
 * Opens the store of keys and usage.
 *
 * @throws `Error` if the database cannot be opened
 *
 * @example
 * const store = await openStore({ location: { folder: '.data' }, log })
 * const { secret } = await store.keys.create({ name: 'Shop', email: 'dev@shop.example', useCase: 'Payouts', expectedVolume: '1000 a day', tier: 'standard' })
 */
export async function openStore({ location, ...settings }: openStore.Settings): Promise<Store> {
  const { log } = settings
  const database = await openDatabase(location)
  const { db, close } = database
  await deleteOldWriters(db).catch(async (cause: unknown) => {
    await close()
    throw new Error('Cannot open the database: it cannot be written', { cause })
  })
  const keys = createKeys({ ...database, ...settings })
  const usage = createUsage({ db, ...settings })
  let isReachable = true
  // The folder of an embedded database belongs to one process.
  const replicas = 'url' in location ? createReplicaCount(db) : undefined
  await replicas?.beat().catch(() => {})
  async function evictChanged(since: string | undefined): Promise<string> {
    // Without a heartbeat, the last count holds.
    const [time] = await Promise.all([keys.evictChanged(since), replicas?.beat().catch(() => {})])
    return time
  }
  const poll = pollKeyChanges({ evictChanged }, (error) => {
    if (isReachable && error !== undefined)
      log.error({ err: error }, 'the database is unavailable: only cached keys work')
    if (!isReachable && error === undefined) log.info({}, 'the database is available again')
    isReachable = error === undefined
  })
  return {
    keys,
    usage,
    isReachable: () => isReachable,
    countReplicas: () => replicas?.get() ?? 1,
    async close() {
      await Promise.all([poll.stop(), usage.close()])
      await replicas?.leave().catch(() => {})
      await close()
    },
  }
}

export declare namespace openStore {
  type Settings = {
    /** PostgreSQL URL, or folder of an embedded database. */
    readonly location: openDatabase.Location
    readonly log: StoreLog
    /** The wall clock, in milliseconds. */
    readonly now?: (() => number) | undefined
  }
}

export type Store = {
  readonly keys: Keys
  readonly usage: Usage
  /** Whether the last poll, at most two seconds ago, reached the database. */
  isReachable(): boolean
  /** Returns the number of processes that share the database, this one included, as of at most two seconds ago. */
  countReplicas(): number
  /** Flushes usage, and closes the database. */
  close(): Promise<void>
}

// A process that has not written for so long has no batch left to retry.
async function deleteOldWriters(db: Database['db']): Promise<void> {
  await db.delete(usageWriters).where(lt(usageWriters.writtenAt, sql`now() - interval '30 days'`))
}

import { lt, sql } from 'drizzle-orm'
import type { Database } from './database/Database.ts'
import { openDatabase } from './database/openDatabase.ts'
import { pollDatabase } from './database/pollDatabase.ts'
import { replicas as replicaRows, usageWriters } from './database/schema.ts'
import { createKeys, type Keys } from './key/createKeys.ts'
import type { StoreLog } from './log/StoreLog.ts'
import { createQuotePauses, type QuotePauses } from './quote/createQuotePauses.ts'
import { openQuoteSecrets, type QuoteSecrets } from './quote/openQuoteSecrets.ts'
import { createReplicaCount, type ReplicaCount } from './replica/createReplicaCount.ts'
import { createUsage, type Usage } from './usage/createUsage.ts'
import { openWebhooks, type WebhookStore } from './webhook/openWebhooks.ts'

/**
 * Opens the store of keys, usage and quotes.
 *
 * @throws `Error` if the database cannot be opened
 *
 * @example
 * const store = await openStore({ location: { folder: '.data' }, log })
 * const { secret } = await store.keys.create({ name: 'Shop', email: 'dev@shop.example', useCase: 'Payouts', expectedVolume: '1000 a day', tier: 'standard' })
 */
export async function openStore({ location, ...options }: openStore.Options): Promise<Store> {
  const { log } = options
  const database = await openDatabase(location)
  const { db, close } = database
  const webhooks = openWebhooks(database)
  const quotes = await prepare(database, webhooks).catch(async (cause: unknown) => {
    await close()
    throw new Error('Cannot open the database: it cannot be written', { cause })
  })
  const keys = createKeys({ ...database, ...options })
  const usage = createUsage({ ...database, ...options })
  // The folder of an embedded database belongs to one process.
  const replicas = 'url' in location ? createReplicaCount(db) : undefined
  await replicas?.beat().catch(() => {})
  const polling = startPolling({ database, keys, ...quotes, webhooks, replicas, log })
  return {
    keys,
    usage,
    ...quotes,
    webhooks,
    state() {
      const state = polling.state()
      return state === 'ok' && !usage.isWritable() ? 'unwritable' : state
    },
    countReplicas: () => replicas?.get() ?? 1,
    async close() {
      await Promise.all([polling.stop(), usage.close()])
      await close()
    },
  }
}

export declare namespace openStore {
  type Options = {
    /** PostgreSQL URL, or folder of an embedded database. */
    readonly location: openDatabase.Location
    readonly log: StoreLog
    /** The wall clock, in milliseconds. */
    readonly now?: (() => number) | undefined
  }
}

/** The storage of the service. */
export type Store = {
  readonly keys: Keys
  readonly usage: Usage
  /** The secrets that sign quotes. */
  readonly quoteSecrets: QuoteSecrets
  /** The pairs of tokens for which quotes are paused. */
  readonly quotePauses: QuotePauses
  /** The webhooks of keys, and their queues. */
  readonly webhooks: WebhookStore
  /**
   * `unreachable`: the last poll, at most two seconds ago, did not reach the database. `unwritable`: the database can
   * be read, but its disk is full or the last write of usage failed. Counts then wait in memory.
   */
  state(): 'ok' | 'unwritable' | 'unreachable'
  /** Returns the number of processes that share the database, including this process, as of the last heartbeat. */
  countReplicas(): number
  /** Flushes usage, and closes the database. */
  close(): Promise<void>
}

type Polled = {
  readonly database: Database
  readonly keys: Keys
  readonly quoteSecrets: QuoteSecrets
  readonly quotePauses: QuotePauses
  readonly webhooks: WebhookStore
  readonly replicas: ReplicaCount | undefined
  readonly log: StoreLog
}

/**
 * Polls the database for changed keys, quote secrets, quote pauses, webhooks and free disk space, and writes the
 * heartbeat of this process.
 */
function startPolling({ database, keys, quoteSecrets, quotePauses, webhooks, replicas, log }: Polled) {
  let isReachable = true
  let hasRoom = true
  // If the heartbeat fails, the last count remains.
  const beat = () => replicas?.beat().catch(() => {})
  const checkRoom = async () => {
    hasRoom = await database.assertWritable().then(
      () => true,
      () => false,
    )
  }
  async function readChanges(since: string | undefined): Promise<string> {
    const tables = [quoteSecrets.refresh(), quotePauses.refresh(), webhooks.refresh()]
    const [time] = await Promise.all([keys.evictChanged(since), checkRoom(), beat(), ...tables])
    return time
  }
  const poll = pollDatabase(readChanges, (error) => {
    if (isReachable && error !== undefined)
      log.error({ err: error }, 'the database is unavailable: only cached keys work')
    if (!isReachable && error === undefined) log.info({}, 'the database is available again')
    isReachable = error === undefined
  })
  return {
    state: () => (isReachable ? (hasRoom ? 'ok' : 'unwritable') : 'unreachable'),
    async stop() {
      await poll.stop()
      if (isReachable) await replicas?.leave().catch(() => {})
    },
  } as const
}

/** Cleans up old rows, and opens the parts that read the database at the start. */
async function prepare(
  database: Database,
  webhooks: WebhookStore,
): Promise<Pick<Store, 'quoteSecrets' | 'quotePauses'>> {
  await deleteOldProcesses(database.db)
  const quotePauses = createQuotePauses(database)
  const [quoteSecrets] = await Promise.all([openQuoteSecrets(database), quotePauses.refresh(), webhooks.refresh()])
  return { quoteSecrets, quotePauses }
}

// A process that has not written for this long has no batch to retry.
async function deleteOldProcesses(db: Database['db']): Promise<void> {
  await db.delete(usageWriters).where(lt(usageWriters.writtenAt, sql`now() - interval '30 days'`))
  await db.delete(replicaRows).where(lt(replicaRows.seenAt, sql`now() - interval '1 day'`))
}

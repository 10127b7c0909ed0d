import type { Clock } from '@agio/core'
import { lt, sql } from 'drizzle-orm'
import { createRefresher } from './database/createTableCache.ts'
import type { Database, ObserveQuery, PoolConnections } from './database/Database.ts'
import { openDatabase } from './database/openDatabase.ts'
import type { migratePostgres } from './database/migratePostgres.ts'
import { pollDatabase } from './database/pollDatabase.ts'
import { followedTransactions, replicas as replicaRows, usageWriters } from './database/schema.ts'
import { findPostgresSentence } from './database/toStorageError.ts'
import { createKeyring, type Keyring } from './encryption/createKeyring.ts'
import { createSecretEncryption, type SecretEncryption } from './encryption/createSecretEncryption.ts'
import { createBackups, type Backups } from './backup/createBackups.ts'
import { createAudit, type Audit } from './audit/createAudit.ts'
import { createIdempotency, deleteExpired, type Idempotency } from './idempotency/createIdempotency.ts'
import { createKeys, type Keys } from './key/createKeys.ts'
import type { StoreLog } from './log/StoreLog.ts'
import { createQuotePauses, type QuotePauses } from './quote/createQuotePauses.ts'
import { openQuoteSecrets, type QuoteSecrets } from './quote/openQuoteSecrets.ts'
import { createReplicaCount, type ReplicaCount } from './replica/createReplicaCount.ts'
import { createRequestLog, type RequestLog } from './requestLog/createRequestLog.ts'
import { createUsage, type Usage } from './usage/createUsage.ts'
import { readBacklog, type Backlog } from './webhook/readBacklog.ts'
import { openWebhooks, type WebhookStore } from './webhook/openWebhooks.ts'

/**
 * Opens the store of keys, usage and quotes.
 *
 * @throws `Error` if the database cannot be opened
 *
 * @example
 * const store = await openStore({ location: { folder: '.data' }, log })
 * const { secret } = await store.keys.create({ name: 'Shop', email: 'dev@shop.example', useCase: 'Payouts', expectedVolume: '1000 a day', tier: 'standard' }, actor)
 */
export async function openStore({ location, masterKeys = [], ...options }: openStore.Options): Promise<Store> {
  const { log, migration, monotonicMs = () => performance.now() } = options
  const database = await openDatabase(location, { ...migration, observe: options.observe })
  const { db, close } = database
  const keyring = createKeyring(masterKeys)
  const encryption = createSecretEncryption({ ...database, keyring, log, monotonicMs })
  const webhooks = openWebhooks({ ...database, keyring })
  const keys = createKeys({ ...database, ...options })
  const prepared = { keyring, encryption, keys, webhooks, monotonicMs }
  const quotes = await prepare(database, prepared).catch(async (cause: unknown) => {
    await close()
    const sentence = findPostgresSentence(cause)
    throw new Error(`Cannot open the database: it cannot be written${sentence ? ` (${sentence})` : ''}`, { cause })
  })
  const usage = createUsage({ ...database, ...options })
  const requestLog = createRequestLog({ ...database, ...options, limits: options.requestLog })
  // The folder of an embedded database belongs to one process.
  const replicas = 'url' in location ? createReplicaCount(db) : undefined
  await replicas?.beat().catch(() => {})
  const polling = startPolling({ database, encryption, keys, ...quotes, webhooks, replicas, log, monotonicMs })
  return {
    audit: createAudit(database),
    backups: createBackups({
      ...database,
      folder: options.backupDir,
      flush: () => Promise.all([usage.flush(), requestLog.flush()]),
    }),
    idempotency: createIdempotency(database),
    keys,
    usage,
    requestLog,
    ...quotes,
    webhooks,
    state() {
      const state = polling.state()
      return state === 'ok' && !usage.isWritable() ? 'unwritable' : state
    },
    countReplicas: () => replicas?.get() ?? 1,
    countConnections: database.countConnections,
    readBacklog: () => readBacklog(db),
    local: database.embedded && toLocal({ db, ...database.embedded }, { keys, usage, requestLog, ...quotes, webhooks }),
    async close() {
      await Promise.all([polling.stop(), usage.close(), requestLog.close()])
      await close()
    },
  }
}

export declare namespace openStore {
  type Options = Clock.Options & {
    /** PostgreSQL URL, or folder of an embedded database. */
    readonly location: openDatabase.Location
    /** The master keys, which encrypt stored secrets, in base64. Default: none, secrets are stored in plain text. */
    readonly masterKeys?: readonly string[] | undefined
    readonly log: StoreLog
    /** How to migrate the schema of a PostgreSQL database. Default: at once, without a word while it waits. */
    readonly migration?: migratePostgres.Options | undefined
    /** Observes each statement and each transaction. Default: none. */
    readonly observe?: ObserveQuery | undefined
    /** The folder of the backups of an embedded database. Default: none, no backup can be created. */
    readonly backupDir?: string | undefined
    /** The limits of the request log. */
    readonly requestLog?: createRequestLog.Dependencies['limits']
  }
}

/** The storage of the service. */
export type Store = {
  /** The log of what operators and API keys changed. */
  readonly audit: Audit
  /** Copies of an embedded database. */
  readonly backups: Backups
  readonly keys: Keys
  /** The outcomes of calls with an `Idempotency-Key`. */
  readonly idempotency: Idempotency
  readonly usage: Usage
  /** The latest calls of keys. */
  readonly requestLog: RequestLog
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
  /** Returns the connections to PostgreSQL; undefined for an embedded database, which has none. */
  countConnections(): PoolConnections | undefined
  /** Reads what waits in the queues of webhooks, of all processes. */
  readBacklog(): Promise<Backlog>
  /** What a local stack may do with the store; undefined on PostgreSQL, which other processes share. */
  readonly local: LocalStore | undefined
  /** Flushes usage and the request log, and closes the database. */
  close(): Promise<void>
}

/** The functions of a store in an embedded database that a local stack uses. */
type LocalStore = ReturnType<typeof toLocal>

/** A snapshot of a store, until it is discarded. */
export type StoreSnapshot = {
  /** Returns the store to the snapshot, in the database and in memory. It may be called any number of times. */
  restore(): Promise<void>
  discard(): Promise<void>
}

type Cached = Pick<Store, 'keys' | 'usage' | 'requestLog' | 'quoteSecrets' | 'quotePauses' | 'webhooks'>

function toLocal(
  { db, moveTime, snapshotRows }: Pick<Database, 'db'> & NonNullable<Database['embedded']>,
  { keys, usage, requestLog, quoteSecrets, quotePauses, webhooks }: Cached,
) {
  const flush = () => Promise.all([usage.flush(), requestLog.flush()])
  const reread = () =>
    Promise.all([keys.refreshOrigins(), quoteSecrets.refresh(), quotePauses.refresh(), webhooks.refresh()])
  return {
    /**
     * Moves the database's time ahead of the system's clock. Leases keep the system's time.
     *
     * @param moveClock moves the clock that the store was opened with, between the statements before and after the move
     */
    async moveTime(aheadMs: number, moveClock: () => void): Promise<void> {
      await moveTime(aheadMs)
      moveClock()
      await reread()
    },
    /** Deletes the followed transactions of chains that have ended. New chains may have transactions with the same hashes. */
    async forgetTransactions(): Promise<void> {
      await db.delete(followedTransactions)
    },
    /** Takes a snapshot of all rows, with the usage that was counted until now. */
    async takeSnapshot(): Promise<StoreSnapshot> {
      await flush()
      const rows = await snapshotRows()
      return {
        async restore() {
          // Counts and calls that are written later would be added to the restored rows.
          await flush()
          await rows.restore()
          keys.evictAll()
          await reread()
        },
        discard: rows.discard,
      }
    },
  }
}

type Polled = {
  readonly database: Database
  readonly encryption: SecretEncryption
  readonly keys: Keys
  readonly quoteSecrets: QuoteSecrets
  readonly quotePauses: QuotePauses
  readonly webhooks: WebhookStore
  readonly replicas: ReplicaCount | undefined
  readonly log: StoreLog
  readonly monotonicMs: () => number
}

/**
 * Polls the database for changed keys, their origins, quote secrets, quote pauses, webhooks and free disk space, and writes the
 * heartbeat of this process.
 */
function startPolling({ database, encryption, keys, quoteSecrets, quotePauses, webhooks, ...others }: Polled) {
  const { replicas, log, monotonicMs } = others
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
  // They may have as many rows as there are keys.
  const refreshLarge = createRefresher(() => Promise.all([keys.refreshOrigins(), webhooks.refresh()]), monotonicMs)
  async function readKeys(since: string | undefined): Promise<string> {
    const { time, changes } = await keys.refreshChanged(since)
    await refreshLarge(changes)
    return time
  }
  async function readChanges(since: string | undefined): Promise<string> {
    // If it fails, it is repeated.
    const encrypting = encryption.runIfDue().catch(() => {})
    const tables = [encrypting, quoteSecrets.refresh(), quotePauses.refresh()]
    const [time] = await Promise.all([readKeys(since), checkRoom(), beat(), ...tables])
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

type Prepared = Pick<openStore.Options, 'monotonicMs'> & {
  readonly keyring: Keyring
  readonly encryption: SecretEncryption
  readonly keys: Keys
  readonly webhooks: WebhookStore
}

/** Cleans up old rows, and opens the parts that read the database at the start. */
async function prepare(
  database: Database,
  { keyring, encryption, keys, webhooks, monotonicMs }: Prepared,
): Promise<Pick<Store, 'quoteSecrets' | 'quotePauses'>> {
  await deleteOldProcesses(database.db)
  await deleteExpired(database.db)
  await encryption.runIfDue()
  const quotePauses = createQuotePauses(database)
  const [quoteSecrets] = await Promise.all([
    openQuoteSecrets({ ...database, keyring, monotonicMs }),
    keys.refreshOrigins(),
    quotePauses.refresh(),
    webhooks.refresh(),
  ])
  return { quoteSecrets, quotePauses }
}

// A process that has not written for this long has no batch to retry.
async function deleteOldProcesses(db: Database['db']): Promise<void> {
  await db.delete(usageWriters).where(lt(usageWriters.writtenAt, sql`now() - interval '30 days'`))
  await db.delete(replicaRows).where(lt(replicaRows.seenAt, sql`now() - interval '1 day'`))
}

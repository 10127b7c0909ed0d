import { createKeyring, createKeys, openWebhooks } from '@agio/store/testing'
import { expect } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { runSql } from './dumpDatabase.ts'
import { listDatabases, openNewDatabase, type DatabaseKind } from './listDatabases.ts'
import { actor, shop } from './shop.ts'

/** The databases that the tests run on. */
export const databases = await listDatabases('the queues of webhooks')

/** The URL of a receiver that is never called. */
export const url = 'https://shop.example/hooks'

/** The events that the webhooks receive. */
export const types = ['transaction.included', 'transaction.finalized', 'market.stale']

/** The hash of the followed transaction. */
const hash = `0x${'ab'.repeat(32)}` as const

/** A claim whose lease outlasts a test. */
export const later = { limit: 10, leaseMs: 60_000 }

/** A page of all deliveries. */
export const all = { status: undefined, before: undefined, limit: 100 }

/** Opens a new database for two processes, with one key and its webhook. */
export async function open(create: DatabaseKind['create']) {
  const database = await openNewDatabase(create)
  const stored = { ...database, keyring: createKeyring([]) }
  const [one, other] = [openWebhooks(stored), openWebhooks(stored)]
  const keys = createKeys(database)
  const { key } = await keys.create(shop, actor)
  const { id: webhookId, secret } = await one.create(key.id, { url, events: types })
  const read = async (text: string) => ((await database.db.execute(text)) as { readonly rows: unknown }).rows
  const run = async (text: string) => void (await read(text))
  /** The followed transaction of the key. */
  const watch = { keyId: key.id, chainId: 84532, transactionHash: hash } as const
  let events = 0
  /** Records an event for each subject, by the watch of a transaction. */
  const addEvents = async (subjects: readonly string[]) => {
    for (const subject of subjects) {
      const payload = `${subject} ${events}`
      const digit = subject.charCodeAt(0).toString(16)
      const followed = { ...watch, transactionHash: `0x${digit.repeat(32)}` } as const
      await one.follow(followed)
      await one.startObserving(followed)
      const head = { hash: `${events}`, number: BigInt(events) }
      const claims = await one.observations.claim({ chainId: 84532, head, ...later })
      for (const claim of claims) {
        const isOwn = claim.transactionHash === followed.transactionHash
        const event = isOwn ? { type: 'transaction.included', payload } : undefined
        await one.observations.record(claim, { cursor: '', state: { status: 'included' }, head, nextInMs: 0, event })
      }
      events += 1
    }
  }
  /** Claims deliveries, and returns them and the number of deliveries that the database has read. */
  const claimAndCount = (limit: number) =>
    database.transact(async (tx) => {
      const { deliveries } = openWebhooks({ ...stored, db: tx })
      const claimed = await deliveries.claim({ limit, leaseMs: 60_000 })
      const [counted] = await runSql<{ rows: number }>(
        tx,
        `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'webhook_deliveries'`,
      )
      return { claimed, rows: counted?.rows ?? 0 }
    })
  /** Claims deliveries, and runs other work before the claim is committed. */
  const claimWhile = (limit: number, work: () => Promise<void>) =>
    database.transact(async (tx) => {
      const { deliveries } = openWebhooks({ ...stored, db: tx })
      const claimed = await deliveries.claim({ limit, leaseMs: 60_000 })
      await work()
      return claimed
    })
  /** Claims deliveries, and runs other work after the claim has begun to read and before it locks what it has chosen. */
  const claimAfter = async (work: () => Promise<void>) => {
    await run(`create schema paused; create function paused.now() returns timestamptz language plpgsql volatile as
      'begin perform pg_advisory_xact_lock_shared(1); return pg_catalog.now(); end'`)
    const [holder, claimer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = database.transact(async (tx) => {
      await tx.execute('select pg_advisory_xact_lock(1)')
      holder.resolve()
      await claimer.promise
    })
    await holder.promise
    const claiming = database.transact(async (tx) => {
      await tx.execute('set local search_path = paused, public, pg_catalog')
      return await openWebhooks({ ...stored, db: tx }).deliveries.claim(later)
    })
    const isWaiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(() => read(isWaiting), eventually).toHaveLength(1)
    await work()
    claimer.resolve()
    await holding
    return await claiming
  }
  return {
    one,
    other,
    keys,
    keyId: key.id,
    webhookId,
    secret,
    watch,
    read,
    run,
    addEvents,
    claimAndCount,
    claimWhile,
    claimAfter,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { Client } from 'pg'
import { assets } from '../assets/assets.ts'
import { findSqlState } from './toStorageError.ts'

// An arbitrary id, the same in every process. Earlier versions lock it for their session.
const migrationLock = 2_108_453_242

// After this time without a response or without the lock, the start says what it waits for.
const silentMs = 2000
const lockTimeoutMs = 2000
const maxWaitMs = 120_000

/**
 * Migrates the schema, if the database lacks a migration. If several processes start at once, one migrates and the others wait.
 * Each lock belongs to a transaction. So a connection pooler cannot keep the lock after the transaction.
 *
 * @throws `Error` if the schema is older and `mode` is `check`, or if the wait takes more than two minutes
 */
export async function migratePostgres(client: Client, { mode = 'start', onWait }: migratePostgres.Options) {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const state: WaitState = { reason: 'waiting for a response of the database', isMigrating: false }
  let isAnnounced = false
  const announce = () => {
    if (isAnnounced || state.isMigrating) return
    isAnnounced = true
    Promise.resolve(onWait?.(`${state.reason}, for at most ${maxWaitMs / 60_000} minutes`)).catch(reject)
  }
  const silence = setTimeout(announce, silentMs)
  const end = setTimeout(() => {
    if (!state.isMigrating) reject(new Error(`it is still ${state.reason} after ${maxWaitMs / 60_000} minutes`))
  }, maxWaitMs)
  try {
    await Promise.race([runMigration(client, { mode, state, announce }), failed])
  } finally {
    clearTimeout(silence)
    clearTimeout(end)
  }
}

export declare namespace migratePostgres {
  type Options = {
    /** Whether to migrate an older schema, or only to refuse it. Default: `start`, which migrates. */
    readonly mode?: 'start' | 'check' | undefined
    /** Called once, with what the start waits for. If it fails, the migration fails. */
    readonly onWait?: ((reason: string) => void | Promise<void>) | undefined
  }
}

type WaitState = { reason: string; isMigrating: boolean }

type Run = Required<Pick<migratePostgres.Options, 'mode'>> & {
  readonly state: WaitState
  readonly announce: () => void
}

async function runMigration(client: Client, { mode, state, announce }: Run): Promise<void> {
  if (await isCurrent(client)) return
  if (mode === 'check') {
    throw new Error(
      'its schema is older than this version needs, and MIGRATE is check. Run `agio migrate` with a role that may change tables',
    )
  }
  state.reason = 'waiting for another process that migrates the schema or holds a lock on a table'
  while (!(await tryMigrate(client, state))) announce()
}

/**
 * Returns whether the database has all migrations of this version. A newer version may have added more. It reads in a transaction,
 * which a pooler in statement mode refuses.
 */
async function isCurrent(client: Client): Promise<boolean> {
  const newest = readMigrationFiles({ migrationsFolder: assets.migrations }).at(-1)?.folderMillis ?? 0
  await client.query('begin')
  const { rows } = await client
    .query<{ readonly newest: string | null }>(
      'select max(created_at)::text as newest from drizzle.__drizzle_migrations',
    )
    .catch((error: unknown) => {
      if (isMissing(error)) return { rows: [] }
      throw error
    })
  await client.query('rollback')
  return Number(rows[0]?.newest ?? -1) >= newest
}

const isMissing = (error: unknown) => ['42P01', '3F000'].includes(findSqlState(error) ?? '')

/** Returns whether it has migrated the schema; false if another session holds a lock for too long. */
async function tryMigrate(client: Client, state: WaitState): Promise<boolean> {
  try {
    // The later statements must read what the earlier owner of the lock has written.
    await client.query('begin isolation level read committed read write')
    // The database may limit statements to less than the wait for the lock.
    await client.query(`set local lock_timeout = ${lockTimeoutMs}; set local statement_timeout = 0`)
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    state.isMigrating = true
    // Drizzle's transaction is this transaction, and it commits it.
    await migrate(drizzle(client), { migrationsFolder: assets.migrations })
    return true
  } catch (error) {
    // A pooler may have closed the connection.
    await client.query('rollback').catch(() => {})
    state.isMigrating = false
    if (findSqlState(error) === '55P03') return false
    throw error
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { statfs } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { drizzle, type PgliteDatabase } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { Errors } from '@agio/core'
import { createPrivateFilesystem, createPrivateFolder, makeFolderPrivate, makeTreePrivate } from './privateFiles.ts'
import { assets } from '../assets/assets.ts'
import { createDatabaseFiles } from './createDatabaseFiles.ts'
import { writeArchive, type ArchiveSource } from './writeArchive.ts'
import { unobserved, type Database, type ObserveQuery } from './Database.ts'
import { snapshotRows } from './snapshotRows.ts'
import { lockDataDir, lockEntries, type DataDirLock } from './lockDataDir.ts'

const engineEntry = 'pglite'

// By default, the engine uses 160 MB of buffers, too much for keys and counts, and no fsync.
const startParams = [
  ...PGlite.defaultStartParams,
  ...['shared_buffers=4MB', 'wal_buffers=256kB', 'fsync=on'].flatMap((setting) => ['-c', setting]),
]

/**
 * Opens the embedded PostgreSQL database in a folder, for one process at a time. Other users have no access to its
 * files.
 *
 * @throws `Error` that names the other process if another process has the folder open
 */
export async function openEmbedded(folder: string, observe: ObserveQuery = unobserved): Promise<Database> {
  await using opening = new AsyncDisposableStack()
  const lock = opening.use(await prepareFolder(folder))
  const isNew = !existsSync(join(folder, engineEntry, 'PG_VERSION'))
  await assertRoomToOpen(folder, isNew)
  if (isNew) await createDatabaseFiles(join(folder, engineEntry), startParams)
  const engine = await startEngine(folder)
  // The engine throws if it is closed twice.
  const close = async () => {
    if (!engine.closed) await engine.close()
  }
  opening.defer(close)
  await migrateSchema(drizzle(engine), folder)
  const db = drizzle(observeEngine(engine, observe))
  const opened = opening.move()
  // Two engines would corrupt the folder, so this engine stops when it loses the lock.
  lock.onLost(() => void close())
  const assertWritable = () => assertRoomToWrite(folder)
  return {
    db,
    async transact(work) {
      await assertWritable()
      return await observe('transaction', () => drizzle(engine).transaction(work))
    },
    assertWritable,
    countConnections: () => undefined,
    embedded: {
      archive: (file) => writeArchive(file, toArchiveSource(engine, folder)),
      moveTime: (aheadMs) => moveTime(engine, aheadMs),
      async snapshotRows() {
        await assertWritable()
        return await snapshotRows(engine)
      },
    },
    close: () => opened.disposeAsync(),
  }
}

/** Returns the part of an engine that runs statements. */
function observeEngine(engine: PGlite, observe: ObserveQuery): PGlite {
  const query = (...statement: Parameters<PGlite['query']>) => observe('query', () => engine.query(...statement))
  return { query } as PGlite
}

async function prepareFolder(folder: string): Promise<DataDirLock> {
  await using preparing = new AsyncDisposableStack()
  try {
    await createPrivateFolder(folder)
    const lock = preparing.use(await lockDataDir(folder))
    await createPrivateFolder(join(folder, engineEntry))
    await makeTreePrivate(join(folder, engineEntry))
    await makeFolderPrivate(folder, [engineEntry, ...lockEntries])
    preparing.move()
    return lock
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === undefined) throw cause
    throw toOpenError(folder, 'the folder cannot be created or written', cause)
  }
}

async function startEngine(folder: string): Promise<PGlite> {
  try {
    return await PGlite.create({ fs: createPrivateFilesystem(join(folder, engineEntry)), startParams })
  } catch (cause) {
    throw toOpenError(folder, 'its files cannot be read or written', cause)
  }
}

function toArchiveSource(engine: PGlite, folder: string): ArchiveSource {
  return {
    folder: join(folder, engineEntry),
    async begin() {
      await engine.query("select pg_backup_start('agio', true)")
    },
    async end() {
      const { rows } = await engine.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
      return rows[0]?.labelfile ?? ''
    },
  }
}

async function migrateSchema(db: PgliteDatabase, folder: string): Promise<void> {
  try {
    await migrate(db, { migrationsFolder: assets.migrations })
  } catch (cause) {
    throw toOpenError(folder, 'its schema cannot be migrated', cause)
  }
}

function toOpenError(folder: string, state: string, cause: unknown): Error {
  return new Error(`Cannot open the database in ${folder}: ${state}`, { cause })
}

/**
 * Moves the result of `now()` and `clock_timestamp()` ahead of the system's clock, for all later statements of an
 * embedded database. Statements find these functions in the schema `moved_time` before those of PostgreSQL, which
 * `pg_catalog.now()` still names.
 *
 * The schema stays in the database without effect: the next session does not search it.
 */
async function moveTime(engine: PGlite, aheadMs: number): Promise<void> {
  await engine.exec(`
    create schema if not exists moved_time;
    ${define('now', 'stable')}
    ${define('clock_timestamp', 'volatile')}
    select set_config('moved_time.ahead_ms', '${aheadMs}', false);
    -- New tables belong to the first schema.
    set search_path = public, moved_time, pg_catalog;
  `)
}

function define(name: string, volatility: string): string {
  return `
    create or replace function moved_time.${name}() returns timestamptz language sql ${volatility} as $$
      select pg_catalog.${name}() + current_setting('moved_time.ahead_ms')::float8 * interval '1 millisecond'
    $$;`
}

const megabyte = 1_000_000

// The embedded database hangs if it cannot create the next file of its write-ahead log. Such a file has 16 MiB.
const toWriteMb = 17

// A new database has 40 MB of files.
const toCreateMb = 60

/** Asserts that the disk of a folder has room for one batch. @throws `svc/storage-unavailable` */
async function assertRoomToWrite(folder: string): Promise<void> {
  if (await hasRoom(folder, toWriteMb)) return
  const reason = `less than ${toWriteMb} MB are free on the disk of the database`
  throw Errors.storageUnavailable({ action: 'write keys and usage', reason })
}

/** Asserts that the disk of a folder has room to open a database, or to create one. @throws `Error` */
async function assertRoomToOpen(folder: string, isNew: boolean): Promise<void> {
  const neededMb = isNew ? toCreateMb : toWriteMb
  if (await hasRoom(folder, neededMb)) return
  throw new Error(`Cannot open the database in ${folder}: less than ${neededMb} MB are free on its disk`)
}

async function hasRoom(folder: string, neededMb: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize >= neededMb * megabyte
}

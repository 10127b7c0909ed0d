import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle, type PgliteDatabase } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { lockDataDir, type Claim } from './lockDataDir.ts'
import type { Database } from './Database.ts'
import { migrationsFolder } from './migrationsFolder.ts'

// By default it keeps 160 MB of buffers, for a few keys and counts, and leaves what it has written to the system to keep.
const startParams = [
  ...PGlite.defaultStartParams,
  ...['shared_buffers=4MB', 'wal_buffers=256kB', 'fsync=on'].flatMap((setting) => ['-c', setting]),
]

/**
 * Opens the embedded PostgreSQL of a folder, which belongs to one process at a time.
 *
 * @throws `Error` that names the owner if another process has it open
 */
export async function openEmbedded(folder: string): Promise<Database> {
  await using opening = new AsyncDisposableStack()
  const claim = opening.use(await prepareFolder(folder))
  const engine = await startEngine(folder)
  // Closed twice, it throws.
  const close = async () => {
    if (!engine.closed) await engine.close()
  }
  opening.defer(close)
  const db = drizzle(engine)
  await migrateSchema(db, folder)
  const opened = opening.move()
  // Two engines on one folder would destroy it: without the claim, nothing more is written.
  claim.onLost(() => void close())
  return { db, transact: (work) => db.transaction(work), close: () => opened.disposeAsync() }
}

async function prepareFolder(folder: string): Promise<Claim> {
  try {
    await mkdir(folder, { recursive: true })
    return await lockDataDir(folder)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === undefined) throw cause
    throw toFailure(folder, 'the folder cannot be made or written', cause)
  }
}

async function startEngine(folder: string): Promise<PGlite> {
  try {
    return await PGlite.create(join(folder, 'pglite'), { startParams })
  } catch (cause) {
    throw toFailure(folder, 'its files cannot be read or written', cause)
  }
}

async function migrateSchema(db: PgliteDatabase, folder: string): Promise<void> {
  try {
    await migrate(db, { migrationsFolder })
  } catch (cause) {
    throw toFailure(folder, 'its schema cannot be brought up to date', cause)
  }
}

function toFailure(folder: string, state: string, cause: unknown): Error {
  return new Error(`Cannot open the database in ${folder}: ${state}`, { cause })
}

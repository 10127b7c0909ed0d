import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { claimFolder } from './claimFolder.ts'
import type { Database } from './Database.ts'
import { migrationsFolder } from './migrationsFolder.ts'

/**
 * Opens the embedded PostgreSQL of a folder, which belongs to one process at a time.
 *
 * @throws `Error` that names the owner if another process has it open
 */
export async function openEmbedded(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true })
  await using opening = new AsyncDisposableStack()
  const claim = opening.use(await claimFolder(folder))
  const engine = await open(join(folder, 'pglite'), folder)
  opening.defer(() => engine.close())
  const db = drizzle(engine)
  await migrate(db, { migrationsFolder })
  const opened = opening.move()
  // Two engines on one folder would destroy it: without the claim, nothing more is written.
  claim.onLost(() => void engine.close())
  return { db, close: () => opened.disposeAsync() }
}

async function open(dataFolder: string, folder: string): Promise<PGlite> {
  try {
    return await PGlite.create(dataFolder)
  } catch (cause) {
    throw new Error(`Cannot open the database in ${folder}: its files cannot be read or written`, { cause })
  }
}

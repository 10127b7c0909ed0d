import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Async, Errors } from '@agio/core'
import { appendAudit } from '../audit/appendAudit.ts'
import type { Actor } from '../audit/AuditEvent.ts'
import type { Database } from '../database/Database.ts'
import { createPrivateFolder } from '../database/privateFiles.ts'
import { throwStorageError } from '../database/toStorageError.ts'

/** Creates the function that backs an embedded database up, one backup at a time. */
export function createBackups({ transact, embedded, folder, flush }: createBackups.Dependencies): Backups {
  const runOneAtATime = Async.createMutex()
  async function create(actor: Actor): Promise<Backup> {
    const refuse = (reason: string) => Errors.invalidRequest({ field: 'service', action: 'create a backup', reason })
    if (!embedded) throw refuse('the database is PostgreSQL. Use pg_dump: see docs/operate/backup.md')
    if (folder === undefined) throw refuse('the service has no folder for backups. Set BACKUP_DIR')
    const createdAt = new Date()
    const name = `agio-${createdAt.toISOString().replaceAll(/[-:.]/g, '')}.tar.gz`
    await flush()
    // First, so that the copy has the event, and no copy exists without one.
    await transact((tx) => appendAudit(tx, actor, { target: name, fields: [] })).catch(throwStorageError)
    return { file: name, bytes: await writeFile(join(folder, name), embedded.archive), createdAt }
  }
  return { create: (actor) => runOneAtATime(() => create(actor)) }
}

export declare namespace createBackups {
  type Dependencies = Pick<Database, 'transact' | 'embedded'> & {
    /** The folder of the backups, `BACKUP_DIR`. */
    readonly folder: string | undefined
    /** Writes the counts that wait in memory. */
    readonly flush: () => Promise<unknown>
  }
}

/** Copies of the database, in files on the disk of the service. */
export type Backups = {
  /**
   * Writes a copy of the embedded database to a new file, while the database is in use.
   *
   * @throws `svc/invalid-request` on PostgreSQL or without a folder; `svc/storage-unavailable` if the file cannot be written
   */
  create(actor: Actor): Promise<Backup>
}

/** A copy of the database. */
type Backup = {
  /** The name of the file in the folder of the backups. */
  readonly file: string
  readonly bytes: number
  readonly createdAt: Date
}

/** Writes a file under another name first, so that a file with the final name is complete. */
async function writeFile(path: string, archive: (file: FileHandle) => Promise<number>): Promise<number> {
  const draft = `${path}.unfinished`
  try {
    await createPrivateFolder(join(path, '..'))
    await using file = await open(draft, 'wx', 0o600)
    const bytes = await archive(file)
    await rename(draft, path)
    return bytes
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {})
    const { code, message } = cause as NodeJS.ErrnoException
    const reason = code === undefined ? message : `the folder BACKUP_DIR cannot be written (${code})`
    throw Errors.storageUnavailable({ action: 'create a backup', reason, cause })
  }
}

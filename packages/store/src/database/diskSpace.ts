import { statfs } from 'node:fs/promises'
import { Errors } from '@agio/core'

const megabyte = 1_000_000

// The engine hangs if it cannot create the next file of its write-ahead log, which has 16 MiB.
const toWriteMb = 17

// A new database has 40 MB of files.
const toCreateMb = 60

/** @throws `svc/storage-unavailable` if the disk of a folder has no room for what the engine may write for one batch */
export async function assertRoomToWrite(folder: string): Promise<void> {
  if (await hasRoom(folder, toWriteMb)) return
  const reason = `less than ${toWriteMb} MB are free on the disk of the database`
  throw Errors.storageUnavailable({ action: 'write keys and usage', reason })
}

/** @throws `Error` if the disk of a folder has no room for a database, or for a new one */
export async function assertRoomToOpen(folder: string, isNew: boolean): Promise<void> {
  const neededMb = isNew ? toCreateMb : toWriteMb
  if (await hasRoom(folder, neededMb)) return
  throw new Error(`Cannot open the database in ${folder}: less than ${neededMb} MB are free on its disk`)
}

async function hasRoom(folder: string, neededMb: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize >= neededMb * megabyte
}

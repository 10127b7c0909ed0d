import { statfs } from 'node:fs/promises'
import { Errors } from '@agio/core'

const megabyte = 1_000_000

// The embedded database hangs if it cannot create the next file of its write-ahead log. Such a file has 16 MiB.
const toWriteMb = 17

// A new database has 40 MB of files.
const toCreateMb = 60

/** Asserts that the disk of a folder has room for one batch. @throws `svc/storage-unavailable` */
export async function assertRoomToWrite(folder: string): Promise<void> {
  if (await hasRoom(folder, toWriteMb)) return
  const reason = `less than ${toWriteMb} MB are free on the disk of the database`
  throw Errors.storageUnavailable({ action: 'write keys and usage', reason })
}

/** Asserts that the disk of a folder has room to open a database, or to create one. @throws `Error` */
export async function assertRoomToOpen(folder: string, isNew: boolean): Promise<void> {
  const neededMb = isNew ? toCreateMb : toWriteMb
  if (await hasRoom(folder, neededMb)) return
  throw new Error(`Cannot open the database in ${folder}: less than ${neededMb} MB are free on its disk`)
}

async function hasRoom(folder: string, neededMb: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize >= neededMb * megabyte
}

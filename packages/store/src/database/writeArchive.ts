import type { Dirent } from 'node:fs'
import { open, readdir, type FileHandle } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createTarPacker } from 'modern-tar'

/** The folder of an archive that its files are in: the name of the engine's folder in `DATA_DIR`. */
const root = 'pglite'
const chunkBytes = 256 * 1024
const logFolder = 'pg_wal'
// It names the process that serves.
const processFile = 'postmaster.pid'

/**
 * Writes the files of a running database to a compressed tar archive, by PostgreSQL's low-level API for base backups. Queries
 * continue meanwhile: the write-ahead log in the archive repairs what they change during the copy.
 *
 * @param file the new file of the archive
 * @param source the folder of the database, and its functions that begin and end a base backup
 * @returns the size of the archive in bytes
 * @see https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export async function writeArchive(file: FileHandle, source: ArchiveSource): Promise<number> {
  const { readable, controller } = createTarPacker()
  const write = readable.pipeThrough(new CompressionStream('gzip')).pipeTo(
    new WritableStream<Uint8Array>({
      async write(chunk) {
        for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
      },
    }),
  )
  const pack = packDatabase(controller, source).then(
    () => controller.finalize(),
    (error: unknown) => {
      controller.error(error)
      throw error
    },
  )
  await Promise.all([pack, write])
  await file.sync()
  return (await file.stat()).size
}

/** What an archive is made of. */
export type ArchiveSource = {
  readonly folder: string
  /** Begins a base backup. */
  begin(): Promise<void>
  /** Ends the base backup. Returns the text of `backup_label`, by which the engine recovers the copy at its first start. */
  end(): Promise<string>
}

type Packer = ReturnType<typeof createTarPacker>['controller']

async function packDatabase(packer: Packer, { folder, begin, end }: ArchiveSource): Promise<void> {
  await begin()
  let label: string | undefined
  try {
    await packFolder(packer, folder, (path) => path !== processFile && !isLog(path))
  } finally {
    label = await end()
  }
  await packContent(packer, `${root}/backup_label`, Buffer.from(label))
  // Last: it contains every change until the end of the backup.
  const logs = await packFolder(packer, folder, isLog)
  const first = /^START WAL LOCATION: \S+ \(file (\w+)\)/.exec(label)?.[1]
  if (first === undefined || !logs.includes(join(logFolder, first)))
    throw new Error(`the database removed its log ${first} during the backup`)
}

const isLog = (path: string) => path.startsWith(join(logFolder, '/'))

/** Adds the selected folders and files. Returns the paths of the files. */
async function packFolder(packer: Packer, folder: string, isSelected: (path: string) => boolean): Promise<string[]> {
  const toPath = (entry: Dirent) => relative(folder, join(entry.parentPath, entry.name))
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    isSelected(toPath(entry)),
  )
  const files: string[] = []
  for (const entry of entries) {
    const path = toPath(entry)
    const name = `${root}/${path}`
    if (entry.isDirectory()) await packer.add({ name: `${name}/`, type: 'directory', size: 0, mode: 0o700 }).close()
    else if (await packFile(packer, name, join(folder, path))) files.push(path)
  }
  return files
}

/** Adds a file with the size that it has now. Returns false if the file has been removed. */
async function packFile(packer: Packer, name: string, path: string): Promise<boolean> {
  await using file = await openExisting(path)
  if (!file) return false
  const { size } = await file.stat()
  const writer = packer.add({ name, size, mode: 0o600 }).getWriter()
  for (let at = 0; at < size;) {
    const chunk = new Uint8Array(Math.min(chunkBytes, size - at))
    // A file that has become shorter meanwhile ends with zeros, and is shortened again by the log.
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
    const length = bytesRead || chunk.length
    await writer.write(chunk.subarray(0, length))
    at += length
  }
  await writer.close()
  return true
}

async function packContent(packer: Packer, name: string, content: Uint8Array): Promise<void> {
  const writer = packer.add({ name, size: content.length, mode: 0o600 }).getWriter()
  await writer.write(content)
  await writer.close()
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

import { open, readFile, rename } from 'node:fs/promises'
import { CommandError } from '../errors/CommandError.ts'

/**
 * Writes JSON to a file that only its owner can read. The file is on the disk when this resolves. A crash leaves the earlier
 * content.
 */
export async function writePrivateJson(path: string, value: object): Promise<void> {
  const draft = `${path}.tmp`
  await using file = await open(draft, 'w', 0o600)
  await file.writeFile(`${JSON.stringify(value)}\n`)
  await file.sync()
  await rename(draft, path)
}

/** Reads a file; undefined if the file does not exist. @throws `CommandError` if it cannot be read */
export async function findText(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new CommandError('input', `Cannot read ${path}: ${error.code}`)
  })
}

import { readFile, realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'

// There is no such file: nothing of the name, a folder, a name below a file, links in a circle, or more than a name can hold.
const absent = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'])

/**
 * Creates the reader of the files in the folder of a built console. A path that leads out of the folder, also by a symbolic
 * link, is as if there were no file.
 */
export function createConsoleReader(folder: string): (path: string) => Promise<Uint8Array | undefined> {
  return async (path) => {
    try {
      const [base, file] = await Promise.all([realpath(folder), realpath(resolve(folder, path))])
      return file.startsWith(`${base}${sep}`) ? await readFile(file) : undefined
    } catch (error) {
      if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
      throw error
    }
  }
}

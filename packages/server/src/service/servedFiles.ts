import { readFile, realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { assets } from '../assets/assets.ts'

// Errors that mean that the file does not exist: no entry, a folder, a path below a file, circular links, or a name
// that is too long.
const absent = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'])

/**
 * Creates the reader of the files of a built console. It returns undefined for a path outside the folder, even through
 * a symbolic link.
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

/** Reads the OpenAPI document. */
export async function readOpenApi(): Promise<Uint8Array> {
  return await readFile(assets['openapi.json'])
}

import { glob, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const pattern = /(?:from |import |import\()'(\.[^']+\.tsx?)'/g

/** Returns the files below a folder, tests included, each with the files that it imports, by their paths from the folder. */
export async function readFileImports(folder: string): Promise<Map<string, Set<string>>> {
  const base = new URL(folder, root)
  const imports = new Map<string, Set<string>>()
  for (const file of await listSources(folder)) {
    const path = file.pathname.slice(base.pathname.length)
    const found = (await readFile(file, 'utf8')).matchAll(pattern)
    imports.set(path, new Set(Array.from(found, ([, specifier = '']) => posix.join(posix.dirname(path), specifier))))
  }
  return imports
}

/** Lists the TypeScript files below a folder of the repository. */
export async function listSources(folder: string): Promise<readonly URL[]> {
  const base = new URL(folder, root)
  const exclude = (path: string) => /(^|\/)(node_modules|dist)(\/|$)/.test(path)
  const files = await Array.fromAsync(glob('**/*.{ts,tsx}', { cwd: fileURLToPath(base), exclude }))
  return files.map((file) => new URL(file, base))
}

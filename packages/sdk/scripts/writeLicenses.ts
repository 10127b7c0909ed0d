import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes the licenses of the packages that these files belong to. A package without such a file names its license. */
export async function writeLicenses(files: readonly string[], target: string): Promise<void> {
  const folders = new Map<string, string>()
  for (const file of files) {
    const [path, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? []
    if (path !== undefined && name !== undefined) folders.set(name, path)
  }
  const texts = [...folders]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(async ([name, folder]) => {
      return `${name}\n\n${(await readLicense(folder)).trim()}\n`
    })
  await writeFile(target, (await Promise.all(texts)).join('\n\n'))
}

async function readLicense(folder: string): Promise<string> {
  const file = (await readdir(folder)).find((name) => /^(mit-)?licen[cs]e/i.test(name))
  if (file !== undefined) return await readFile(join(folder, file), 'utf8')
  const { license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { readonly license?: string }
  if (license === undefined) throw new Error(`Cannot find the license of ${folder}`)
  return `License: ${license}`
}

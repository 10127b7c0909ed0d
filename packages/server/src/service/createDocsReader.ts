import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { DocsAsset, DocsSource } from '@agio/api'
import { assets } from '../assets/assets.ts'

/** The files of each asset, whose contents are joined. */
const files: Readonly<Record<DocsAsset, readonly string[]>> = {
  'site.css': [assets['base.css'], assets['site.css']],
  'site.js': [assets['site.js']],
  'icon.svg': [assets['icon.svg']],
  'minisearch.js': [assets['minisearch.js']],
  'reference.js': [assets['reference.js']],
}

/**
 * Creates the reader of the documentation in a folder. It lists the pages and pictures, but not hidden files or symbolic links.
 * The list is empty if the folder does not exist.
 */
export function createDocsReader(folder: string): DocsSource {
  return {
    async listFiles() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ignoreAbsent)
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
        .filter((path) => /^(?:[\w-]+\/)*[\w-]+\.(?:md|png)$/.test(path))
    },
    readFile: (path) => readFile(join(folder, path)),
    readAsset: async (name) => Buffer.concat(await Promise.all(files[name].map((file) => readFile(file)))),
  }
}

function ignoreAbsent(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

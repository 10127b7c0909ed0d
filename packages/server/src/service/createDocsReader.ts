import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative, resolve, sep } from 'node:path'
import type { DocsAsset, DocsSource } from '@agio/api'

/** The folder of the documentation. */
export const docsDir = resolve(import.meta.dirname, '../../../../docs')

/** The sources of the console. The documentation uses their styles and the icon. */
const consoleSources = resolve(import.meta.dirname, '../../../console/src')

const require = createRequire(import.meta.url)

// The assets by name. Each asset joins the contents of its files.
const assets: Readonly<Record<DocsAsset, () => readonly string[]>> = {
  'site.css': () => [
    ...['tokens.css', 'base.css'].map((name) => join(consoleSources, 'styles', name)),
    require.resolve('@agio/api/site.css'),
  ],
  'site.js': () => [require.resolve('@agio/api/site.js')],
  'icon.svg': () => [join(consoleSources, 'icon.svg')],
  'minisearch.js': () => [require.resolve('minisearch').replace(/dist[/\\].*$/, 'dist/es/index.js')],
  'reference.js': () => [
    require.resolve('@scalar/api-reference').replace(/dist[/\\].*$/, 'dist/browser/standalone.js'),
  ],
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
    readAsset: async (name) => Buffer.concat(await Promise.all(assets[name]().map((file) => readFile(file)))),
  }
}

function ignoreAbsent(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

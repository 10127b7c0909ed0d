import { createDocument, type Document } from '../docs/createDocument.ts'
import type { ConsoleSource } from '../settings/ConsoleSource.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

// The names of assets contain a hash of their content.
const caching = { maxAgeSeconds: 31_536_000, isImmutable: true } as const

/**
 * Creates the access to the built page. Each asset is read and compressed once per build. `index.html` is read for each
 * request, and if it has changed, all cached assets are dropped.
 */
export function createBuiltConsole({ readFile }: Pick<ConsoleSource, 'readFile'>) {
  const assets = new Map<string, Document>()
  let lastTemplate: string | undefined
  return {
    /** Reads `index.html`, with its placeholders; undefined if the console is not built. */
    async readTemplate(): Promise<string | undefined> {
      const bytes = await readFile('index.html')
      const template = bytes && new TextDecoder().decode(bytes)
      if (template !== lastTemplate) assets.clear()
      lastTemplate = template
      return template
    },
    /** Returns an asset by its path, `assets/` and its name; undefined if this build does not have the asset. */
    async findAsset(path: string): Promise<Document | undefined> {
      const mediaType = mediaTypes[path.slice(path.lastIndexOf('.') + 1)]
      if (mediaType === undefined) return undefined
      const cached = assets.get(path)
      if (cached) return cached
      const bytes = await readFile(path)
      if (!bytes) return undefined
      // Another request may have read the asset meanwhile.
      const asset = assets.get(path) ?? createDocument({ mediaType, ...caching, read: async () => bytes })
      assets.set(path, asset)
      return asset
    },
  }
}

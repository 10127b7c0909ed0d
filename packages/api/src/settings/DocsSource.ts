/** The source of the documentation at `/docs`. */
export type DocsSource = {
  /**
   * Lists the paths of the pages and pictures, such as `guide/convert.md` and `console/keys-dark.png`. Returns an empty
   * list if there is no documentation.
   */
  readonly listFiles: () => Promise<readonly string[]>
  /** Reads a listed file. */
  readonly readFile: (path: string) => Promise<Uint8Array>
  /** Reads a file that the pages load. */
  readonly readAsset: (name: DocsAsset) => Promise<Uint8Array>
}

/** The files that the pages load: the page itself, its search, and the API reference. */
export type DocsAsset = 'site.css' | 'site.js' | 'icon.svg' | 'minisearch.js' | 'reference.js'

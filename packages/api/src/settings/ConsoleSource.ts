import type { Network } from '@agio/core'

/** The source of the console: its built page, and the keys and nodes of a local stack. */
export type ConsoleSource = {
  /**
   * Reads a file of the built page by its path, such as `index.html` or `assets/main.js`. Returns undefined if the file
   * does not exist.
   */
  readonly readFile: (path: string) => Promise<Uint8Array | undefined>
  /** The well-known keys and the nodes of a local stack, which the page shows to every visitor; undefined elsewhere. */
  readonly local?: ConsoleLocalStack | undefined
}

/** The keys and nodes that the console of a local stack uses without user input. */
export type ConsoleLocalStack = {
  readonly apiKey: string
  /** A second key, with the limits of the tier `standard`. */
  readonly standardKey?: string | undefined
  readonly adminKey: string
  /** The URL of each chain's node, which wallets use. */
  readonly rpcUrls: Readonly<Partial<Record<Network.ChainId, string>>>
  /** The path of the tarball of `@agio/sdk`, if the service serves it. */
  readonly sdkPath?: string | undefined
}

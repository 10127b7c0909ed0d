import type { ChainId } from '@agio/core'

/** Where the console comes from: its built page, and what a local stack tells it. */
export type ConsoleSource = {
  /** Reads a file of the built page by its path, such as `index.html` or `assets/main.js`; undefined if there is none. */
  readonly readFile: (path: string) => Promise<Uint8Array | undefined>
  /** The well-known keys and the nodes of a local stack, which the page tells all its visitors; undefined elsewhere. */
  readonly local?: ConsoleLocalStack | undefined
}

/** What the console of a local stack can use without being told by its user. */
export type ConsoleLocalStack = {
  readonly apiKey: string
  /** A second key, with the limits of the tier `standard`. */
  readonly standardKey?: string | undefined
  readonly adminKey: string
  /** The URL of each chain's node, which wallets use. */
  readonly rpcUrls: Readonly<Partial<Record<ChainId, string>>>
}

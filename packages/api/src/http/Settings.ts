import type { Chain } from '@agio/chain'
import type { ChainId } from '@agio/core'

/** What the API is made of; values that reach outside of the process come from the composition root. */
export type Settings = {
  readonly chains: Readonly<Record<ChainId, Chain>>
  /** Finds the key that a secret belongs to. */
  readonly findKey: (secret: string) => ApiKey | undefined
  /** Tells whether pages of an origin may call the service. */
  readonly isOriginAllowed: (origin: string) => boolean
  /** The script of the page at `/docs`. */
  readonly readDocsScript: () => Promise<Uint8Array>
  readonly log: Log
  /** The wall clock, in milliseconds. */
  readonly now?: (() => number) | undefined
}

/** A caller. */
export type ApiKey = { readonly id: string; readonly name: string; readonly tier: string }

/** Where each answered request and each unexpected error is written. */
export type Log = {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

import type { ChainId } from '@agio/core'

/** All that an operator decides. */
export type Settings = {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** The folder of `<chainId>.json` files. */
  readonly deploymentsDir: string
  /** Upstream nodes per chain, in order of preference. */
  readonly rpcUrls: Readonly<Record<ChainId, readonly string[]>>
  readonly apiKeys: readonly ConfiguredKey[]
  /** The origins whose pages may call the service; `localhost` stands for every origin on this machine. */
  readonly corsOrigins: readonly string[] | 'localhost'
  readonly logLevel: string
  /** How long a broadcast waits to be mined, in milliseconds. */
  readonly broadcastWaitMs: number
  /** How long a block that no node confirms any more may be used, in milliseconds. */
  readonly snapshotMaxAgeMs: number
}

export type ConfiguredKey = { readonly name: string; readonly secret: string; readonly tier: string }

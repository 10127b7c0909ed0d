import type { Deployment } from '@agio/chain'
import type { Address, Network } from '@agio/core'

/** A running local chain as plain data, so that a vitest setup can provide it to tests. */
export type LocalChain = DeployedChain & { readonly rpcUrl: string }

/** The contracts of a chain as plain data. */
export type DeployedChain = {
  readonly chainId: Network.ChainId
  readonly deployment: Deployment
  /** The tokens by symbol. */
  readonly tokens: Named<'tUSD' | 'tAUD' | 'tEUR'>
  /** The pools by the symbols of base and quote. */
  readonly pools: Named<'tAUD/tUSD' | 'tEUR/tUSD'>
  /** The oracles by the symbol of the priced token. The reference token has no oracle. */
  readonly oracles: Named<'tAUD' | 'tEUR'>
  /** The uptime feed of the sequencer, if the pools check one. */
  readonly sequencerFeed?: Address | undefined
  /** The feed of the reference token, if the pools check one. */
  readonly referenceFeed?: Address | undefined
}

/** Running local chains by id. A chain that was not started is absent. */
export type LocalChains = Readonly<Partial<Record<Network.ChainId, LocalChain>>>

// A fork of another deployment has different names.
type Named<Name extends string> = Readonly<Record<Name, Address> & Record<string, Address>>

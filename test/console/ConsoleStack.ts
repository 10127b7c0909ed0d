import { Network, type Address } from '@agio/core'
import type { LocalChain, Localnet } from '@agio/localnet'

/** A service that serves the console, and its local chains, as plain data. */
export type ConsoleStack = {
  readonly url: string
  readonly chains: Readonly<Record<Network.ChainId, ConsoleChain>>
}

type ConsoleChain = Pick<LocalChain, 'chainId' | 'rpcUrl' | 'tokens'> & { readonly router: Address }

/** Names what tests need of local chains. */
export function toConsoleChains({ chains }: Pick<Localnet, 'chains'>): ConsoleStack['chains'] {
  return Network.map((id) => {
    const { chainId, rpcUrl, tokens, deployment } = chains[id]
    return { chainId, rpcUrl, tokens, router: deployment.router }
  })
}

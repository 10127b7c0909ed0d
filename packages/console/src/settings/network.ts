import type { ChainId } from '@agio/sdk'
import { create } from 'zustand'
import { settings, type Network } from './settings.ts'
import { toExplorerUrl } from './toExplorerUrl.ts'
import { sessionStore } from '../storage/browserStorage.ts'

const name = 'agio.chain'

/**
 * The store of the selected network: the network of the URL, else the last network of the tab, else the first network.
 */
export const useNetwork = create<Selection>((set) => ({
  network: findInitial(),
  setChainId(chainId) {
    const network = findNetwork(chainId)
    if (!network) return
    sessionStore.setItem(name, String(chainId))
    set({ network })
  },
}))

type Selection = {
  readonly network: ServedNetwork
  /** Selects a network of the service. Any other id changes nothing. */
  setChainId(chainId: number): void
}

/** A network that the service serves, with the id type of the clients. */
export type ServedNetwork = Network & { readonly chainId: ChainId }

function findInitial(): ServedNetwork {
  const requested = new URLSearchParams(location.search).get('chain') ?? sessionStore.getItem(name)
  const [first] = settings.networks
  const network = findNetwork(Number(requested)) ?? first
  if (!network) throw new Error('Cannot open the console: the service serves no network')
  return network as ServedNetwork
}

/** Returns the URL of a transaction in the block explorer of its network, or undefined without one. */
export function findTransactionUrl(chainId: number, transactionHash: string): string | undefined {
  const network = findNetwork(chainId)
  return network && toExplorerUrl(network, 'tx', transactionHash)
}

/** Returns a network of the service, or undefined for any other id. */
export function findNetwork(chainId: number): ServedNetwork | undefined {
  return settings.networks.find((network) => network.chainId === chainId) as ServedNetwork | undefined
}

import type { ChainId } from '@agio/sdk'
import { useMemo } from 'react'
import { createStore } from 'zustand'
import { defineStore, useSettings } from './console.ts'
import type { Network, Settings } from './settings.ts'
import { toExplorerUrl } from './toExplorerUrl.ts'

const name = 'agio.chain'

/**
 * The store of the selected network: the network of the URL, else the last network of the tab, else the first network.
 */
export const useNetwork = defineStore(({ settings, search, sessionStore }) =>
  createStore<Selection>((set) => {
    const requested = new URLSearchParams(search).get('chain') ?? sessionStore.getItem(name)
    const network = find(settings, Number(requested)) ?? (settings.networks[0] as ServedNetwork | undefined)
    if (!network) throw new Error('Cannot open the console: the service serves no network')
    return {
      network,
      setChainId(chainId) {
        const selected = find(settings, chainId)
        if (!selected) return
        sessionStore.setItem(name, String(chainId))
        set({ network: selected })
      },
    }
  }),
)

type Selection = {
  readonly network: ServedNetwork
  /** Selects a network of the service. Any other id changes nothing. */
  setChainId(chainId: number): void
}

/** A network that the service serves, with the id type of the clients. */
export type ServedNetwork = Network & { readonly chainId: ChainId }

/** Returns functions that look up the networks of the service. */
export function useNetworks() {
  const settings = useSettings()
  return useMemo(() => {
    const findNetwork = (chainId: number) => find(settings, chainId)
    return {
      /** Returns a network of the service, or undefined for any other id. */
      findNetwork,
      /** Returns the name of a chain, or its id if the service does not serve it. */
      nameOfChain: (chainId: number) => findNetwork(chainId)?.name ?? `Chain ${chainId}`,
      /** Returns the URL of a transaction in the block explorer of its network, or undefined without one. */
      findTransactionUrl(chainId: number, transactionHash: string) {
        const network = findNetwork(chainId)
        return network && toExplorerUrl(network, 'tx', transactionHash)
      },
    }
  }, [settings])
}

function find({ networks }: Settings, chainId: number): ServedNetwork | undefined {
  return networks.find((network) => network.chainId === chainId) as ServedNetwork | undefined
}

import { useEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { useNetwork, useNetworks, type ServedNetwork } from './network.ts'

/**
 * Returns the network of `?chain=` in the URL and selects it for the page. Without `?chain=` it returns the network of
 * the page. Selecting another network changes the URL.
 */
export function useNetworkOfUrl(): NetworkOfUrl {
  const [search, setSearch] = useSearchParams()
  const { network, setChainId } = useNetwork()
  const { findNetwork } = useNetworks()
  const requested = search.get('chain') ?? undefined
  useEffect(() => {
    if (requested !== undefined) setChainId(Number(requested))
  }, [requested, setChainId])
  const previous = useRef(network)
  useEffect(() => {
    if (previous.current === network) return
    previous.current = network
    const change = (params: URLSearchParams) => {
      params.set('chain', String(network.chainId))
      return params
    }
    setSearch(change, { replace: true })
  }, [network, setSearch])
  if (requested === undefined) return { network }
  const named = findNetwork(Number(requested))
  return named ? { network: named } : { network, unservedChain: requested }
}

type NetworkOfUrl = {
  readonly network: ServedNetwork
  /** The chain in the URL, if the service does not serve it. */
  readonly unservedChain?: string
}

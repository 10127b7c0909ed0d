import type { Eip1193Provider } from '@agio/sdk'
import { useMemo } from 'react'
import { useConnection } from 'wagmi'

/** Returns the connected wallet, or undefined if no wallet is connected. It stays the same until one of its fields changes. */
export function useWallet(): ConnectedWallet | undefined {
  const { address, chainId, connector, isConnected } = useConnection()
  return useMemo(() => {
    if (!isConnected || address === undefined || chainId === undefined || !connector) return undefined
    const { id, name, icon } = connector
    return {
      id,
      address,
      chainId,
      name,
      icon,
      request: async (args) => await ((await connector.getProvider()) as Eip1193Provider).request(args),
    }
  }, [address, chainId, connector, isConnected])
}

/** A wallet that is connected to the page, as the EIP-1193 provider that `@agio/react` and the SDK take. */
export type ConnectedWallet = Eip1193Provider & {
  /** The reverse domain name that the wallet announces. */
  readonly id: string
  readonly address: `0x${string}`
  /** Chain id of the wallet. */
  readonly chainId: number
  readonly name: string
  readonly icon: string | undefined
}

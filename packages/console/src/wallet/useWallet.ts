import type { Eip1193Provider } from '@agio/sdk'
import { useConnection } from 'wagmi'

/** Returns the connected wallet, or undefined if no wallet is connected. */
export function useWallet(): ConnectedWallet | undefined {
  const { address, chainId, connector, isConnected } = useConnection()
  if (!isConnected || address === undefined || chainId === undefined || !connector) return undefined
  return {
    id: connector.id,
    address,
    chainId,
    name: connector.name,
    icon: connector.icon,
    getProvider: async () => (await connector.getProvider()) as Eip1193Provider,
  }
}

/** A wallet that is connected to the page. */
export type ConnectedWallet = {
  /** The reverse domain name that the wallet announces. */
  readonly id: string
  readonly address: `0x${string}`
  /** Chain id of the wallet. */
  readonly chainId: number
  readonly name: string
  readonly icon: string | undefined
  /** Returns the provider, for `agio.convert`. */
  getProvider(): Promise<Eip1193Provider>
}

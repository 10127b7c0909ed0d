import { settings } from './settings.ts'

/** Returns the name of a chain, or its id if the service does not serve it. */
export function nameOfChain(chainId: number): string {
  return settings.networks.find((network) => network.chainId === chainId)?.name ?? `Chain ${chainId}`
}

import { settings } from './settings.ts'

/** Returns the name of a chain that the service serves; its id for another one. */
export function nameOfChain(chainId: number): string {
  return settings.networks.find((network) => network.chainId === chainId)?.name ?? `Chain ${chainId}`
}

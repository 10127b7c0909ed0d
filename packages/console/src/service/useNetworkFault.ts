import { healthIntervalMs, useHealth } from './useHealth.ts'

/** Why nothing can be converted on a network now. */
export type NetworkFault = {
  /** What cannot be reached, or whether the network has no new blocks. */
  readonly kind: 'service' | 'network' | 'blocks'
  /** Time of the next attempt in milliseconds. */
  readonly retryAt: number
}

/** Returns why nothing can be converted on a network now, by the health of the service. Undefined if nothing is known to fail. */
export function useNetworkFault(chainId: number): NetworkFault | undefined {
  const { data, error, dataUpdatedAt, errorUpdatedAt } = useHealth()
  if (error) return { kind: 'service', retryAt: errorUpdatedAt + healthIntervalMs }
  const available = data?.health.chains.find((chain) => chain.chainId === chainId)?.available
  const retryAt = dataUpdatedAt + healthIntervalMs
  if (available?.includes('transactions') === false) return { kind: 'network', retryAt }
  return available?.includes('previews') === false ? { kind: 'blocks', retryAt } : undefined
}

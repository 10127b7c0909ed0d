import type { LocalChain } from '@agio/localnet'
import type { PinnedContracts } from '../../packages/sdk/src/index.ts'

/** Returns the contracts of local chains as an application pins them. */
export function pinContracts(chains: Readonly<Record<string, LocalChain>>): PinnedContracts {
  return Object.fromEntries(Object.values(chains).map(({ chainId, deployment }) => [chainId, deployment]))
}

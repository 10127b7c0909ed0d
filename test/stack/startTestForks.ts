import { mapChains } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import { startTestLocalnet } from './startTestLocalnet.ts'

/** Starts forks of both chains with their deployments. Blocks are mined only with transactions. */
export async function startTestForks({ chains, deploymentsDir }: Localnet): Promise<Localnet> {
  const forks = mapChains((chainId) => chains[chainId].rpcUrl)
  return await startTestLocalnet({ blockIntervalMs: 3_600_000, forks, knownDeploymentsDir: deploymentsDir })
}

import { mapChains } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import { startTestLocalnet } from './startTestLocalnet.ts'

/** Starts forks of both chains, with the deployment that is found there. Blocks come with transactions only. */
export async function startTestForks({ chains, deploymentsDir }: Localnet): Promise<Localnet> {
  const forks = mapChains((chainId) => chains[chainId].rpcUrl)
  return await startTestLocalnet({ blockIntervalMs: 3_600_000, forks, knownDeploymentsDir: deploymentsDir })
}

import type { Localnet } from '@agio/localnet'
import { startTestLocalnet } from './startTestLocalnet.ts'

/** Starts forks of both chains, with the deployment that is found there. Blocks come with transactions only. */
export async function startTestForks({ chains, deploymentsDir }: Localnet): Promise<Localnet> {
  const forks = { 84532: chains[84532].rpcUrl, 421614: chains[421614].rpcUrl }
  return await startTestLocalnet({ blockIntervalMs: 3_600_000, forks, knownDeploymentsDir: deploymentsDir })
}

// `pnpm contracts:deploy --network <name>`: deploys the contracts of the local chains to a test network.
import { runOnce } from '@agio/server/cli'
import { join } from 'node:path'
import { deployUsage, readDeployOptions } from './cli/readDeployOptions.ts'
import { projectRoot } from './project/projectRoot.ts'

await runOnce(deployUsage, async (args) => {
  const { network, dollarsPerSide } = readDeployOptions(args)
  const deploymentsDir = process.env['DEPLOYMENTS_DIR'] || join(projectRoot, 'deployments')
  const { deployToNetwork } = await import('./deployment/deployToNetwork.ts')
  const path = await deployToNetwork(network, { deploymentsDir, dollarsPerSide, onProgress: console.log })
  return `Wrote ${path}`
})

// `pnpm contracts:deploy --network <name>`: everything that the local chains have, on a real network.
import { join } from 'node:path'
import { readDeployOptions } from './cli/readDeployOptions.ts'
import { deployToNetwork } from './deployment/deployToNetwork.ts'
import { projectRoot } from './projectRoot.ts'

try {
  const { network, dollarsPerSide } = readDeployOptions(process.argv.slice(2))
  const deploymentsDir = process.env['DEPLOYMENTS_DIR'] || join(projectRoot, 'deployments')
  const path = await deployToNetwork(network, { deploymentsDir, dollarsPerSide, onProgress: console.log })
  console.log(`Wrote ${path}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

// `pnpm contracts:deploy --network <name>`: deploys the contracts of the local chains to a test network.
import { parseSettings, runOnce } from '@agio/server/cli'
import { join } from 'node:path'
import { deploySettings, deployUsage, formatPending, parseDeployOptions } from './cli/deployOptions.ts'
import { projectRoot } from './project/projectRoot.ts'

await runOnce(deployUsage, async (args) => {
  const { network, ...options } = parseDeployOptions(args)
  const { texts } = parseSettings(deploySettings, process.env, 'deploy')
  const deploymentsDir = texts['DEPLOYMENTS_DIR'] ?? join(projectRoot, 'deployments')
  // Hardhat reads the variables of a network, but does not support `_FILE`.
  for (const [name, text] of Object.entries(texts)) if (text !== undefined) process.env[name] = text
  const { deployToNetwork } = await import('./deployment/deployToNetwork.ts')
  const { path, pending } = await deployToNetwork(network, { ...options, deploymentsDir, onProgress: console.log })
  return [`Wrote ${path}`, ...formatPending(pending, options.owner)].join('\n')
})

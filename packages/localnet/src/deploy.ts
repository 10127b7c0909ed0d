// `pnpm contracts:deploy --network <name>`: deploys the contracts of the local chains to a test network.
import { parseSettings, runOnce } from '@agio/server/cli'
import { join } from 'node:path'
import { deploySettings, deployUsage, formatPending, getCredentials, parseDeployOptions } from './cli/deployOptions.ts'
import { projectRoot } from './project/projectRoot.ts'

await runOnce(deployUsage, async (args) => {
  const options = parseDeployOptions(args)
  const { texts } = parseSettings(deploySettings, process.env, 'deploy')
  const deploymentsDir = texts['DEPLOYMENTS_DIR'] ?? join(projectRoot, 'deployments')
  const credentials = getCredentials(options.chainId, texts)
  const { deployToNetwork } = await import('./deployment/deployToNetwork.ts')
  const { path, pending } = await deployToNetwork({
    ...options,
    ...credentials,
    deploymentsDir,
    onProgress: console.log,
  })
  return [`Wrote ${path}`, ...formatPending(pending, options.owner)].join('\n')
})

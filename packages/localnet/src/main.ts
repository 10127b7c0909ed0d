// `pnpm localnet`: the local chains without the service.
import { Network } from '@agio/core'
import { findLocalStack, formatHelp, registerLocalStack } from '@agio/server/cli'
import { formatLocalnet } from './cli/formatLocalnet.ts'
import { localnetSettings } from './cli/localOptions.ts'
import { localnetUsage, parseLocalnetOptions } from './cli/localOptions.ts'
import { runUntilStopped } from './cli/runUntilStopped.ts'

const usage = `pnpm localnet [--fork <chain>=<http URL>]

Starts the local chains without the service: deploys the contracts, funds the accounts and keeps the prices fresh.
${localnetUsage}

Environment variables:
${formatHelp(localnetSettings)}`

await runUntilStopped(usage, async (args, running) => {
  const options = parseLocalnetOptions(args)
  const { startLocalnet } = await import('./localnet/startLocalnet.ts')
  const localnet = running.use(await startLocalnet({ ...options, onProgress: console.log }))
  const rpcUrls = Network.map((chainId) => localnet.chains[chainId].rpcUrl)
  // Other commands continue to use a running pnpm start.
  if (!(await findLocalStack())) running.use(await registerLocalStack({ rpcUrls }))
  return { summary: `${formatLocalnet(localnet)}\n\nDeployment files: ${localnet.deploymentsDir}` }
})

// `pnpm start`: the local chains, and the service on them.
import { mapChains } from '@agio/core'
import { registerLocalStack } from '@agio/server/cli'
import { formatLocalnet, formatService } from './cli/formatLocalnet.ts'
import { localnetUsage, readLocalnetOptions } from './cli/readLocalnetOptions.ts'
import { readServiceSettings } from './cli/readServiceSettings.ts'
import { runUntilStopped } from './cli/runUntilStopped.ts'
import { localServiceDefaults } from './localServiceDefaults.ts'
import { startLocalnet } from './startLocalnet.ts'
import { startLocalService } from './startLocalService.ts'

const usage = `pnpm start [--fork <chain>=<http URL>]

Starts the local chains and the service on them. The commands scenario, sign and keys find them by .local/stack.json.
${localnetUsage}
  PORT, HOST  where the service listens, default 3000 and 127.0.0.1
  LOG_LEVEL   the log level of the service, default warn`

await runUntilStopped(usage, async (args, running) => {
  const settings = readServiceSettings(process.env)
  const localnet = running.use(await startLocalnet({ ...readLocalnetOptions(args), onProgress: console.log }))
  console.log('Starting the service')
  const { url } = running.use(await startLocalService(localnet, settings))
  const { adminKey } = localServiceDefaults
  const rpcUrls = mapChains((chainId) => localnet.chains[chainId].rpcUrl)
  running.use(await registerLocalStack({ rpcUrls, service: { url, adminKey } }))
  return `${formatLocalnet(localnet)}\n\n${formatService(url)}`
})

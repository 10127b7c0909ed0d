// `pnpm start`: the local chains, and the service on them.
import { mapChains } from '@agio/core'
import { formatReadiness, logLevels, waitUntilHealthy } from '@agio/server'
import { registerLocalStack } from '@agio/server/cli'
import { join } from 'node:path'
import { formatLocalnet, formatService } from './cli/formatLocalnet.ts'
import { readAddress } from './cli/readEnvironment.ts'
import { localnetUsage, readLocalnetOptions } from './cli/readLocalnetOptions.ts'
import { runUntilStopped } from './cli/runUntilStopped.ts'
import { projectRoot } from './project/projectRoot.ts'
import { localServiceDefaults } from './service/localServiceDefaults.ts'
import { startLocalnet } from './localnet/startLocalnet.ts'
import { startLocalService } from './service/startLocalService.ts'

// A fork may have to fetch the pools from its upstream node first.
const startTimeoutMs = 30_000

const usage = `pnpm start [--fork <chain>=<http URL>]

Starts the local chains and the service on them. The commands scenario, sign and keys find them by .local/stack.json.
${localnetUsage}
  PORT, HOST  where the service listens, default 3000 and 127.0.0.1
  LOG_LEVEL   the log level of the service, default warn`

await runUntilStopped(usage, async (args, running) => {
  const settings = readServiceSettings(process.env)
  const localnet = running.use(await startLocalnet({ ...readLocalnetOptions(args), onProgress: console.log }))
  console.log('Starting the service')
  const { url, readHealth } = running.use(await startLocalService(localnet, settings))
  const { adminKey } = localServiceDefaults
  const rpcUrls = mapChains((chainId) => localnet.chains[chainId].rpcUrl)
  running.use(await registerLocalStack({ rpcUrls, service: { url, adminKey } }))
  const health = await waitUntilHealthy(readHealth, { timeoutMs: startTimeoutMs })
  return { summary: `${formatLocalnet(localnet)}\n\n${formatService(url)}`, readiness: formatReadiness(health) }
})

/** Reads the settings of the service, with a database of its own. @throws `Error` that names the variable */
function readServiceSettings(environment: NodeJS.ProcessEnv): startLocalService.Settings {
  return {
    ...readAddress(environment),
    dataDir: join(projectRoot, '.local/data'),
    // Requests are not logged: the table of addresses stays in sight.
    logLevel: readLogLevel(environment['LOG_LEVEL'] || 'warn'),
  }
}

function readLogLevel(value: string): string {
  if ((logLevels as readonly string[]).includes(value)) return value
  throw new Error(`Cannot use LOG_LEVEL: '${value}' is none of ${logLevels.join(', ')}`)
}

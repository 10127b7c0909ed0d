// `pnpm start`: the local chains, and the service on them.
import { mapChains } from '@agio/core'
import { registerLocalStack } from '@agio/server/cli'
import { join } from 'node:path'
import { buildConsole } from './console/buildConsole.ts'
import { formatLocalnet, formatService } from './cli/formatLocalnet.ts'
import { defaultFinalityBlocks, readAddress, readConsoleSwitch, readFinalityBlocks } from './cli/readEnvironment.ts'
import { localnetUsage, readLocalnetOptions } from './cli/readLocalnetOptions.ts'
import { runUntilStopped } from './cli/runUntilStopped.ts'
import { projectRoot } from './project/projectRoot.ts'
import type { startLocalService } from './service/startLocalService.ts'

// A fork may have to fetch the pools from its upstream node first.
const startTimeoutMs = 30_000

const usage = `pnpm start [--fork <chain>=<http URL>]

Starts the local chains and the service on them. The commands scenario, sign and keys find them by .local/stack.json.
${localnetUsage}
  PORT, HOST  where the service listens, default 3000 and 127.0.0.1
  CONSOLE     off neither builds nor serves the console, default on
  LOG_LEVEL   the log level of the service, default warn
  FINALITY_BLOCKS  how many blocks a block is safe after, and final after twice as many, default ${defaultFinalityBlocks}`

await runUntilStopped(usage, async (args, running) => {
  const options = readLocalnetOptions(args)
  // Help, and the refusal of an argument, need none of these.
  const { builtConsoleDir, formatReadiness, isConsoleBuilt, logLevels, waitUntilHealthy } = await import('@agio/server')
  const { startLocalnet } = await import('./localnet/startLocalnet.ts')
  const { localServiceDefaults } = await import('./service/localServiceDefaults.ts')
  const { startLocalService } = await import('./service/startLocalService.ts')
  const consoleDir = readConsoleSwitch(process.env) ? builtConsoleDir : undefined
  const settings = { ...readServiceSettings(process.env, logLevels), consoleDir }
  const build = consoleDir === undefined ? undefined : running.use(buildConsole({ onProgress: console.log }))
  const localnet = running.use(await startLocalnet({ ...options, onProgress: console.log }))
  console.log('Starting the service')
  const { url, readHealth } = running.use(await startLocalService(localnet, settings))
  const { adminKey } = localServiceDefaults
  const rpcUrls = mapChains((chainId) => localnet.chains[chainId].rpcUrl)
  running.use(await registerLocalStack({ rpcUrls, service: { url, adminKey } }))
  const health = await waitUntilHealthy(readHealth, { timeoutMs: startTimeoutMs })
  await build?.ended
  const hasConsole = consoleDir !== undefined && isConsoleBuilt(consoleDir)
  const summary = `${formatService(url, { hasConsole })}\n\n${formatLocalnet(localnet)}`
  return { summary, readiness: formatReadiness(health) }
})

/** Reads the settings of the service, with a database of its own. @throws `Error` that names the variable */
function readServiceSettings(environment: NodeJS.ProcessEnv, logLevels: readonly string[]): startLocalService.Settings {
  return {
    ...readAddress(environment),
    dataDir: join(projectRoot, '.local/data'),
    // Requests are not logged: the table of addresses stays in sight.
    logLevel: readLogLevel(environment['LOG_LEVEL'] || 'warn', logLevels),
    finalityBlocks: readFinalityBlocks(environment),
  }
}

function readLogLevel(value: string, logLevels: readonly string[]): string {
  if (logLevels.includes(value)) return value
  throw new Error(`Cannot use LOG_LEVEL: '${value}' is none of ${logLevels.join(', ')}`)
}

// `pnpm start`: the local chains with the service.
import { Network } from '@agio/core'
import { findLocalStack, formatHelp, registerLocalStack } from '@agio/server/cli'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from './console/buildConsole.ts'
import { formatLocalnet, formatService } from './cli/formatLocalnet.ts'
import { parseStartSettings, startSettings } from './cli/localOptions.ts'
import { localnetUsage, parseLocalnetOptions } from './cli/localOptions.ts'
import { runUntilStopped } from './cli/runUntilStopped.ts'
import { projectRoot } from './project/projectRoot.ts'

// A fork may first need to fetch the pools from its origin node.
const startTimeoutMs = 30_000

const usage = `pnpm start [--fork <chain>=<http URL>]

Starts the local chains and the service on them. The commands scenario, sign and keys read .local/stack.json to find them.
A second stack of this checkout has temporary data. Run these commands with its PORT.
${localnetUsage}

Environment variables:
${formatHelp(startSettings)}`

await runUntilStopped(usage, async (args, running) => {
  const options = parseLocalnetOptions(args)
  const { console: consoleSwitch, host, port, logLevel, finalityBlocks } = parseStartSettings(process.env)
  // Help and argument errors do not need these modules.
  const { builtConsoleDir, formatReadiness, isConsoleBuilt, DataDirInUseError, waitUntilHealthy } =
    await import('@agio/server')
  const { startLocalnet } = await import('./localnet/startLocalnet.ts')
  const { localServiceDefaults } = await import('./service/localServiceDefaults.ts')
  const { startLocalService } = await import('./service/startLocalService.ts')
  const { createSdkPackage } = await import('./sdk/createSdkPackage.ts')
  const consoleDir = consoleSwitch === 'on' ? builtConsoleDir : undefined
  const dataDir = join(projectRoot, '.local/data')
  const settings = { host, port, logLevel, finalityBlocks, dataDir, consoleDir }
  const build = consoleDir === undefined ? undefined : running.use(buildConsole({ onProgress: console.log }))
  const isSecond = (await findLocalStack()) !== undefined
  const deploymentsDir = isSecond ? await createTemporaryFolder(running) : undefined
  const localnet = running.use(await startLocalnet({ ...options, deploymentsDir, onProgress: console.log }))
  console.log('Starting the service')
  const sdk = running.use(createSdkPackage({ onProgress: console.log }))
  const { url, readHealth, findRefusal } = running.use(
    await startLocalService(localnet, settings, { readSdk: sdk.read }).catch((error: unknown) => {
      if (!(error instanceof DataDirInUseError)) throw error
      console.log('Another local stack uses the database in .local/data: this one has a temporary database')
      return startLocalService(localnet, { ...settings, dataDir: undefined }, { readSdk: sdk.read })
    }),
  )
  const { adminKey } = localServiceDefaults
  const rpcUrls = Network.map((chainId) => localnet.chains[chainId].rpcUrl)
  // Other commands continue to use the first stack.
  if (!isSecond) running.use(await registerLocalStack({ rpcUrls, service: { url, adminKey } }))
  const health = await waitUntilHealthy(readHealth, { timeoutMs: startTimeoutMs, findRefusal })
  await build?.ended
  const hasConsole = consoleDir !== undefined && isConsoleBuilt(consoleDir)
  const summary = `${formatService(url, { hasConsole })}\n\n${formatLocalnet(localnet)}`
  return { summary, readiness: formatReadiness(health) }
})

async function createTemporaryFolder(running: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agio-localnet-'))
  running.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

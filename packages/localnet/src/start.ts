// `pnpm start`: the local chains, and the service on them.
import { formatTable, startServer } from '@agio/server'
import { formatLocalnet } from './cli/formatLocalnet.ts'
import { readLocalnetOptions } from './cli/readLocalnetOptions.ts'
import { readServerSettings } from './cli/readServerSettings.ts'
import { runCommand } from './cli/runCommand.ts'
import { startLocalnet } from './startLocalnet.ts'

await runCommand(async (running) => {
  const settings = readServerSettings(process.env)
  const options = readLocalnetOptions(process.argv.slice(2))
  const localnet = running.use(await startLocalnet({ ...options, onProgress: console.log }))
  console.log('Starting the service')
  const { deploymentsDir, chains } = localnet
  const rpcUrls = { 84532: [chains[84532].rpcUrl], 421614: [chains[421614].rpcUrl] }
  const server = await startServer({ ...settings, deploymentsDir, rpcUrls })
  running.defer(() => server.stop())
  const service = formatTable([
    ['REST', `${server.url}/api/v1`],
    ['tRPC', `${server.url}/trpc`],
    ['Docs', `${server.url}/docs`],
    ...settings.knownKeys.map(({ secret, tier }) => ['X-API-Key', `${secret} (tier ${tier})`]),
    ['X-Admin-Key', settings.adminKey],
  ])
  return `${formatLocalnet(localnet)}\n\n${service}`
})

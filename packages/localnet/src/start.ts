// `pnpm start`: the local chains, and the service on them.
import { formatTable } from '@agio/server'
import { formatLocalnet } from './cli/formatLocalnet.ts'
import { readLocalnetOptions } from './cli/readLocalnetOptions.ts'
import { readServerSettings } from './cli/readServerSettings.ts'
import { runCommand } from './cli/runCommand.ts'
import { startLocalnet } from './startLocalnet.ts'
import { startLocalService } from './startLocalService.ts'

await runCommand(async (running) => {
  const settings = readServerSettings(process.env)
  const options = readLocalnetOptions(process.argv.slice(2))
  const localnet = running.use(await startLocalnet({ ...options, onProgress: console.log }))
  console.log('Starting the service')
  const { url } = running.use(await startLocalService(localnet, settings))
  const service = formatTable([
    ['REST', `${url}/api/v1`],
    ['tRPC', `${url}/trpc`],
    ['Docs', `${url}/docs`],
    ['Faults', `${url}/local/scenarios`],
    ...settings.knownKeys.map(({ secret, tier }) => ['X-API-Key', `${secret} (tier ${tier})`]),
    ['X-Admin-Key', settings.adminKey],
  ])
  return `${formatLocalnet(localnet)}\n\n${service}`
})

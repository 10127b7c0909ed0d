// `pnpm localnet`: the local chains alone.
import { formatLocalnet } from './cli/formatLocalnet.ts'
import { readLocalnetOptions } from './cli/readLocalnetOptions.ts'
import { runCommand } from './cli/runCommand.ts'
import { startLocalnet } from './startLocalnet.ts'

await runCommand(async (running) => {
  const options = readLocalnetOptions(process.argv.slice(2))
  const localnet = running.use(await startLocalnet({ ...options, onProgress: console.log }))
  return `${formatLocalnet(localnet)}\n\nDeployment files: ${localnet.deploymentsDir}`
})

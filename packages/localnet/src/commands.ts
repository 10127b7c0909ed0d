// What the `agio` command needs: settings and tables, and functions that load the modules of a command when it runs.
import type { adoptContracts as adopt } from './cli/adoptContracts.ts'
import type { deployContracts as deploy } from './cli/deployContracts.ts'
import type { keepPrices as keep } from './cli/keepPrices.ts'
import type { runDev as run } from './cli/runDev.ts'
import type { signResponse as sign } from './cli/signResponse.ts'
import type { runScenarioFile as runFile } from './scenarios/runScenarioFile.ts'

export {
  defineSettings,
  formatHelp,
  migrateOnNode,
  parseSettings,
  serveOnNode,
  serviceSettings,
  stopOnSignal,
  toUrl,
} from '@agio/server/cli'
export { deploySettings, networkNames } from './cli/deploySettings.ts'
export { devSettings, localnetSettings, toNodes } from './cli/devSettings.ts'
export { localServiceDefaults } from './service/localServiceDefaults.ts'
export { listScenarios, type ListedScenario } from './scenarios/scenarios.ts'

/** Runs the local stack until a signal stops this process. @see `runDev` of `cli/runDev.ts` */
export async function runDev(options: run.Options): Promise<void> {
  await (await import('./cli/runDev.ts')).runDev(options)
}

/** Signs a response of the service with a local account. @see `signResponse` of `cli/signResponse.ts` */
export async function signResponse(input: string, options: sign.Options): Promise<string> {
  return await (await import('./cli/signResponse.ts')).signResponse(input, options)
}

/** Runs a scenario file against a stack. @see `runScenarioFile` of `scenarios/runScenarioFile.ts` */
export async function runScenarioFile(file: string, { onStep, ...target }: FileOptions): Promise<number> {
  return await (await import('./scenarios/runScenarioFile.ts')).runScenarioFile(file, target, { onStep })
}

type FileOptions = runFile.Target & Pick<runFile.Options, 'onStep'>

/** Deploys the contracts to a test network. @see `deployContracts` of `cli/deployContracts.ts` */
export async function deployContracts(options: deploy.Options, environment: NodeJS.ProcessEnv): Promise<string> {
  return await (await import('./cli/deployContracts.ts')).deployContracts(options, environment)
}

/** Writes the deployment file of contracts of others. @see `adoptContracts` of `cli/adoptContracts.ts` */
export async function adoptContracts(options: adopt.Options, environment: NodeJS.ProcessEnv): Promise<string> {
  return await (await import('./cli/adoptContracts.ts')).adoptContracts(options, environment)
}

/** Writes prices of oracles that the deployer owns. @see `keepPrices` of `cli/keepPrices.ts` */
export async function keepPrices(options: keep.Options, environment: NodeJS.ProcessEnv): Promise<void> {
  await (await import('./cli/keepPrices.ts')).keepPrices(options, environment)
}

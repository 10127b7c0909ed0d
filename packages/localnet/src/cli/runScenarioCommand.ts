import { Network } from '@agio/core'
import {
  findLocalStack,
  formatHelp,
  formatTable,
  parseSettings,
  serviceSettings,
  toUrl,
  type LocalStack,
} from '@agio/server/cli'
import { listScenarios, type ListedScenario } from '../scenarios/scenarios.ts'
import { localServiceDefaults } from '../service/localServiceDefaults.ts'
import { parseScenarioCommand, type ScenarioCommand } from './parseScenarioCommand.ts'

const scenarioSettings = { host: serviceSettings.host, port: serviceSettings.port }

/** The usage of `pnpm scenario`, with a line for each scenario. */
export const scenarioUsage = [
  `pnpm scenario <name> [options] [--chain ${Network.chainIds.join('|')}]   injects a fault into the running pnpm start, on chain ${Network.defaultChainId} by default`,
  formatTable([
    ['Scenario', 'What it does', 'What callers get'],
    ...listScenarios().map((scenario) => [formatOptions(scenario), scenario.description, scenario.effect]),
  ]),
  `Environment variables for another service. Without these variables, the command uses the running pnpm start:\n${formatHelp(scenarioSettings)}`,
].join('\n\n')

/**
 * Runs one command of `pnpm scenario` against a running `pnpm start`.
 *
 * @returns the text to print
 * @throws `Error` if the command is invalid, if no service responds, or with the error message of the service
 */
export async function runScenarioCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const command = parseScenarioCommand(args)
  const response = await post(await findService(environment), command)
  if (!response.success) throw new Error(response.error)
  return formatResult(response.data)
}

function formatOptions({ name, options }: ListedScenario): string {
  const usages = Object.entries(options).map(([option, spec]) => {
    const usage = `--${option} <${formatValue(option, spec)}>`
    return spec.isOptional ? `[${usage}]` : usage
  })
  return [name, ...usages].join(' ')
}

function formatValue(option: string, spec: ListedScenario['options'][string]): string {
  if (spec.type === 'choice') return spec.of.join('|')
  if (spec.type === 'hash') return 'hash'
  return spec.type === 'name' ? option : 'n'
}

type Service = NonNullable<LocalStack['service']>

async function findService(environment: NodeJS.ProcessEnv): Promise<Service> {
  const { adminKey } = localServiceDefaults
  const isServiceNamed = Boolean(environment['HOST']) || Number(environment['PORT'] || 0) !== 0
  const stack = isServiceNamed ? undefined : await findLocalStack()
  if (!stack) return { url: toUrl(parseSettings(scenarioSettings, environment, 'run a scenario').values), adminKey }
  if (stack.service) return stack.service
  throw new Error('Cannot run a scenario: pnpm localnet runs without the service (pnpm start runs both)')
}

type Response = { readonly success: true; readonly data: Result } | { readonly success: false; readonly error: string }

type Result = { readonly scenario: string } & (ServedBlock | { readonly chains: readonly ServedBlock[] })

type ServedBlock = { readonly chainId: number; readonly blockNumber: number }

async function post({ url, adminKey }: Service, { name, fields }: ScenarioCommand): Promise<Response> {
  const response = await fetch(`${url}/local/scenarios/${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-admin-key': adminKey },
    body: JSON.stringify(fields),
  }).catch((cause: unknown) => {
    throw new Error(`Cannot run a scenario: no service responds at ${url} (pnpm start starts one)`, { cause })
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (isEnvelope(body)) return body
  throw new Error(`Cannot run a scenario: the server at ${url} is not the service (PORT and HOST name the service)`)
}

/** Returns whether a body is the service's envelope. If PORT is the port of a local node, the node responds instead. */
function isEnvelope(body: unknown): body is Response {
  if (typeof body !== 'object' || body === null || !('success' in body)) return false
  return body.success === true ? 'data' in body : 'error' in body && typeof body.error === 'string'
}

function formatResult(result: Result): string {
  const chains = 'chains' in result ? result.chains : [result]
  const blocks = chains.map(({ chainId, blockNumber }) => `chain ${chainId} as of block ${blockNumber}`).join(', ')
  const effect = listScenarios().find(({ name }) => name === result.scenario)?.effect
  return `${result.scenario}: ${blocks}${effect === undefined ? '' : `; callers get ${effect}`}`
}

import { chainIds, defaultChainId } from '@agio/core'
import { formatTable } from '@agio/server'
import { listScenarios, type ListedScenario } from '../scenario/scenarios.ts'

/** How `pnpm scenario` is used, with a line for each scenario. */
export function formatScenarios(): string {
  return [
    `pnpm scenario <name> [options] [--chain ${chainIds.join('|')}]   puts a fault in place in a running pnpm start, on chain ${defaultChainId} by default`,
    formatTable(listScenarios().map((scenario) => [formatUsage(scenario), formatEffect(scenario)])),
    'PORT and HOST say where the service is (127.0.0.1:3000).',
  ].join('\n\n')
}

function formatUsage({ name, options }: ListedScenario): string {
  const usages = Object.entries(options).map(([option, { type, isOptional }]) => {
    const usage = `--${option} <${type === 'name' ? option : 'n'}>`
    return isOptional ? `[${usage}]` : usage
  })
  return [name, ...usages].join(' ')
}

function formatEffect({ description, codes }: ListedScenario): string {
  return codes.length === 0 ? description : `${description} (${codes.join(', ')})`
}

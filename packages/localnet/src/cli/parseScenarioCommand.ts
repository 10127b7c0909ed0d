import { parseArgs } from 'node:util'
import { listScenarios } from '../scenarios/scenarios.ts'

/** Parses the command line of `pnpm scenario`. The service validates the values. @throws `Error` with one sentence */
export function parseScenarioCommand(args: readonly string[]): ScenarioCommand {
  const { positionals, values } = parse(args)
  const { chain, ...options } = values
  const [name, ...extra] = positionals
  if (name === undefined) throw toUsageError('its name is missing')
  const names = listScenarios().map((scenario) => scenario.name)
  if (!names.includes(name)) throw toUsageError(`unknown scenario '${name}', the scenarios are ${names.join(', ')}`)
  if (extra.length > 0) throw toUsageError(`unexpected argument '${extra.join(' ')}'`)
  const fields = Object.entries({ ...options, chainId: chain }).filter(([, value]) => value !== undefined)
  return { name, fields: Object.fromEntries(fields.map(([field, value]) => [field, toField(String(value))])) }
}

/** A scenario to run, with its options as fields of the request. */
export type ScenarioCommand = {
  readonly name: string
  readonly fields: Readonly<Record<string, string | number>>
}

const stringOption = { type: 'string' } as const

function parse(args: readonly string[]) {
  const names = listScenarios().flatMap(({ options }) => Object.keys(options))
  const options = Object.fromEntries(names.map((name) => [name, stringOption]))
  try {
    return parseArgs({
      args: joinNegatives(args),
      allowPositionals: true,
      options: { ...options, chain: stringOption } as const,
    })
  } catch (cause) {
    throw toUsageError((cause as Error).message.replace(/\. .*/s, ''))
  }
}

/** Joins each negative number to the previous option. Otherwise `parseArgs` would read the number as an option. */
function joinNegatives(args: readonly string[]): string[] {
  const joined: string[] = []
  for (const argument of args) {
    const option = joined.at(-1)
    if (option?.startsWith('--') && /^-[\d.]/.test(argument)) joined.splice(-1, 1, `${option}=${argument}`)
    else joined.push(argument)
  }
  return joined
}

function toField(value: string): string | number {
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value) ? Number(value) : value
}

function toUsageError(reason: string): Error {
  return new Error(`Cannot run a scenario: ${reason} (pnpm scenario --help lists them)`)
}

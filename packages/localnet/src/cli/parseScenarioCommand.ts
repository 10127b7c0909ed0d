import { parseArgs } from 'node:util'
import { listScenarios } from '../scenario/scenarios.ts'

/** What a command line asks for: undefined stands for help. @throws `Error` in one sentence */
export function parseScenarioCommand(args: readonly string[]): ScenarioCommand | undefined {
  const { positionals, values } = parse(args)
  const { help, chain, ...options } = values
  if (help) return undefined
  const [name, ...others] = positionals
  if (name === undefined) throw misuse('none is named')
  const names = listScenarios().map((scenario) => scenario.name)
  if (!names.includes(name)) throw misuse(`there is no '${name}', only ${names.join(', ')}`)
  if (others.length > 0) throw misuse(`there is no place for '${others.join(' ')}'`)
  const fields = Object.entries({ ...options, chainId: chain }).filter(([, value]) => value !== undefined)
  return { name, fields: Object.fromEntries(fields.map(([field, value]) => [field, toField(String(value))])) }
}

export type ScenarioCommand = {
  readonly name: string
  /** What the values may be, the service decides. */
  readonly fields: Readonly<Record<string, string | number>>
}

const text = { type: 'string' } as const

function parse(args: readonly string[]) {
  const names = listScenarios().flatMap(({ options }) => Object.keys(options))
  const options = Object.fromEntries(names.map((name) => [name, text]))
  try {
    return parseArgs({
      args: joinNegatives(args.filter((argument) => argument !== '--')),
      allowPositionals: true,
      options: { ...options, chain: text, help: { type: 'boolean', short: 'h' } } as const,
    })
  } catch (cause) {
    throw misuse((cause as Error).message.replace(/\. .*/s, ''))
  }
}

/** Ties each negative number to the option before it, where it would be taken for an option of its own. */
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

function misuse(reason: string): Error {
  return new Error(`Cannot run a scenario: ${reason} (pnpm scenario --help lists them)`)
}

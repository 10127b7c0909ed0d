import { ServiceError, type Network } from '@agio/core'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { ScenarioChain } from './createScenarios.ts'
import type { Scenario } from './definition/defineScenario.ts'
import { parseChainId, parseOptions, type OptionsOf } from './definition/parseOptions.ts'
import { isScenarioName, listScenarios, scenarios, type ScenarioName } from './scenarios.ts'

/** Faults with the times at which they are injected. */
export type ScenarioFile = {
  /** The steps, in the order of their times. */
  readonly steps: readonly ScenarioStep[]
}

/** A step: a scenario with its options, or `reset`, at a time after the start such as `500ms`, `4s`, `2m` or `1h`. */
export type ScenarioStep = {
  readonly at: `${number}${keyof typeof unitsMs}`
  /** Default: chain 84532, or the first chain of the stack. A reset without a chain resets all chains. */
  readonly chainId?: Network.ChainId | undefined
} & (ScenarioCall[ScenarioName] | { readonly run: 'reset' })

type ScenarioCall = {
  readonly [Name in ScenarioName]: { readonly run: Name } & OptionsOf<(typeof scenarios)[Name]['options']>
}

/**
 * Returns a scenario file unchanged, with the types of its steps.
 *
 * @example
 * export default defineScenarioFile({
 *   steps: [
 *     { at: '0s', run: 'price-move', symbol: 'tAUD', percent: -3 },
 *     { at: '4s', run: 'rpc-down' },
 *     { at: '9s', run: 'reset' },
 *   ],
 * })
 */
export function defineScenarioFile(file: ScenarioFile): ScenarioFile {
  return file
}

/** A step that can run: its name is known, and its options are valid for its chain. */
export type ParsedStep = {
  readonly atMs: number
  readonly name: ScenarioName | 'reset'
  /** The options of the scenario, and its chain if the step names one. */
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * Reads a scenario file: JSON, or a module of TypeScript or JavaScript whose default export is the file.
 *
 * @throws `Error` with the path if the file cannot be read
 */
export async function readScenarioFile(path: string): Promise<unknown> {
  try {
    if (extname(path) === '.json') return JSON.parse(await readFile(path, 'utf8'))
    const module = (await import(pathToFileURL(resolve(path)).href)) as { readonly default?: unknown }
    if (module.default !== undefined) return module.default
  } catch (cause) {
    throw new Error(`Cannot read scenario file ${path}: ${(cause as Error).message}`, { cause })
  }
  throw new Error(
    `Cannot read scenario file ${path}: it has no default export. Write "export default { steps: [ … ] }"`,
  )
}

/**
 * Returns the steps of a scenario file, after all of them have been checked.
 *
 * @param chains the chains of the stack, with the values that options accept
 * @throws `Error` with one sentence that names the first invalid field
 */
export function parseScenarioFile(file: unknown, chains: readonly ScenarioChain[]): readonly ParsedStep[] {
  const parsed = schema.safeParse(file)
  if (!parsed.success) throw refuse(formatIssue(parsed.error))
  const steps = parsed.data.steps.map((step, index) => parseStep(step, { path: `steps[${index}]`, chains }))
  const late = steps.findIndex(({ atMs }, index) => atMs < (steps[index - 1]?.atMs ?? 0))
  if (late !== -1) throw refuse(`steps[${late}].at is before the time of the previous step. Order the steps by time`)
  return steps
}

const unitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const

const longestMs = 24 * unitsMs.h

const schema = z.strictObject(
  {
    steps: z
      .array(
        z.looseObject(
          {
            at: z.string({ error: 'must be a time such as "500ms", "4s" or "2m"' }),
            run: z.string({ error: 'must be the name of a scenario, or "reset"' }),
          },
          { error: 'must be an object such as { "at": "4s", "run": "rpc-down" }' },
        ),
        { error: 'must be a list of steps' },
      )
      .min(1, { error: 'must have at least one step' }),
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? 'has unknown fields: only "steps" is known'
        : 'must be an object with steps: { "steps": [ … ] }',
  },
)

type Step = z.infer<typeof schema>['steps'][number]

function parseStep({ at, run, ...fields }: Step, { path, chains }: StepContext): ParsedStep {
  const atMs = parseTime(at, `${path}.at`)
  if (run !== 'reset' && !isScenarioName(run)) {
    const names = listScenarios().map(({ name }) => name)
    throw refuse(`${path}.run: '${run}' is not a scenario. The scenarios are ${names.join(', ')}`)
  }
  const specs = run === 'reset' ? {} : (scenarios[run] as Scenario).options
  const { chainId: chosenId, ...options } = fields
  try {
    const ids = chains.map(({ chainId }) => chainId)
    const chainId = parseChainId(chosenId, ids)
    const { oracles = [], pools = [] } = chains.find((chain) => chain.chainId === chainId) ?? {}
    parseOptions(options, { specs, chain: { oracles: toKeys(oracles), pools: toKeys(pools) } })
  } catch (error) {
    if (error instanceof ServiceError) throw refuse(`${path} (${run}): ${error.message}`)
    throw error
  }
  return { atMs, name: run, fields }
}

type StepContext = { readonly path: string; readonly chains: readonly ScenarioChain[] }

function parseTime(text: string, path: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? []
  const atMs = Number(number) * unitsMs[unit as keyof typeof unitsMs]
  if (Number.isNaN(atMs)) throw refuse(`${path} must be a time such as "500ms", "4s" or "2m", and is "${text}"`)
  if (atMs > longestMs) throw refuse(`${path} is "${text}": the latest time is "24h"`)
  return atMs
}

function toKeys(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, name]))
}

function formatIssue({ issues: [issue] }: z.ZodError): string {
  const path = (issue?.path ?? []).map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return `${path.slice(1) || 'it'} ${issue?.message ?? 'is invalid'}`
}

function refuse(reason: string): Error {
  return new Error(`Cannot run the scenario file: ${reason}`)
}

import type { ErrorCode } from '@agio/core'
import { catalogue } from './catalogue.ts'
import type { OptionSpecs } from './options/OptionSpec.ts'

/** What can be run, reset included, as plain data. */
export function listScenarios(): readonly ListedScenario[] {
  const scenarios = Object.values(catalogue).map(({ put: _, ...listed }) => listed)
  const description = 'Takes every fault away, lets mining go on, and pushes the prices; on one chain if it is named'
  return [...scenarios, { name: 'reset', description, options: {}, codes: [] }]
}

export type ListedScenario = {
  readonly name: string
  readonly description: string
  readonly options: OptionSpecs
  /** What callers of the service then see. */
  readonly codes: readonly ErrorCode[]
}

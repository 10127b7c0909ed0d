import type { Scenario, ScenarioFields } from './scenarioApi.ts'

/** Returns the options of a scenario that were entered: numbers as numbers, and without those that were left empty. */
export function toFields(
  { options }: Pick<Scenario, 'options'>,
  entered: Readonly<Record<string, string>>,
): ScenarioFields {
  const filled = Object.entries(options).filter(([name]) => (entered[name] ?? '') !== '')
  return Object.fromEntries(
    filled.map(([name, { type }]) => [name, type === 'number' ? Number(entered[name]) : (entered[name] ?? '')]),
  )
}

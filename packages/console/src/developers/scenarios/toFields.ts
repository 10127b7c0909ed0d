import type { Scenario, ScenarioFields } from './scenarioApi.ts'

/** Returns the entered options of a scenario. Numbers are parsed, and empty options are left out. */
export function toFields(
  { options }: Pick<Scenario, 'options'>,
  entered: Readonly<Record<string, string>>,
): ScenarioFields {
  const filled = Object.entries(options).filter(([name]) => (entered[name] ?? '') !== '')
  return Object.fromEntries(
    filled.map(([name, { type }]) => [name, type === 'number' ? Number(entered[name]) : (entered[name] ?? '')]),
  )
}

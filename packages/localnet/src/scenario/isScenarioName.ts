import { catalogue, type ScenarioName } from './catalogue.ts'

/** Tells whether there is a scenario of a name. */
export function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(catalogue, name)
}

import type { OptionSpecs } from './options/OptionSpec.ts'
import type { Scenario } from './Scenario.ts'

/** Gives back a scenario as it is, with the types of its name and of its options. */
export function defineScenario<const Name extends string, const Specs extends OptionSpecs>(
  scenario: Scenario<Name, Specs>,
): Scenario<Name, Specs> {
  return scenario
}

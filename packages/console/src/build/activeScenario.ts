import type { ActiveScenario, Scenario, ScenarioChain, ScenarioFields } from './scenarios.ts'

/** Describes the chains and options of an active scenario. Equal faults are listed once, with their count. */
export function describeActive(name: string, { chains, nameOfChain }: describeActive.Options): readonly string[] {
  const counts = new Map<string, number>()
  for (const { chainId, active } of chains) {
    for (const { options } of active.filter(({ scenario }) => scenario === name)) {
      const text = [nameOfChain(chainId), ...formatOptions(options)].join(', ')
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  }
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text}, ${count} times`))
}

export declare namespace describeActive {
  type Options = {
    readonly chains: readonly Pick<ScenarioChain, 'active' | 'chainId'>[]
    readonly nameOfChain: (chainId: number) => string
  }
}

function formatOptions(options: ActiveScenario['options']): readonly string[] {
  return Object.entries(options).map(([name, value]) => `${name} ${value}`)
}

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

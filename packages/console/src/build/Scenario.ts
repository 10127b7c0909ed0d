/** All scenarios, and the chains on which they can run. */
export type ScenarioList = { readonly scenarios: readonly Scenario[]; readonly chains: readonly ScenarioChain[] }

/** A fault on demand. */
export type Scenario = {
  readonly name: string
  readonly description: string
  /** The effect on callers of the service. */
  readonly effect: string
  readonly options: Readonly<Record<string, ScenarioOption>>
  /** The error codes that callers get. */
  readonly codes: readonly string[]
  /** Whether the fault has ended when the request returns. Otherwise it stays active until a reset. */
  readonly isMomentary?: boolean
}

/** An option of a scenario, with its type and the allowed values. */
export type ScenarioOption = { readonly description: string; readonly isOptional?: boolean } & (
  | { readonly type: 'number'; readonly min: number; readonly max: number; readonly isWhole?: boolean }
  | { readonly type: 'name'; readonly of: 'oracles' | 'pools' }
  | { readonly type: 'choice'; readonly of: readonly string[] }
  | { readonly type: 'hash' }
)

/** A local chain, with the names that options may take. */
export type ScenarioChain = {
  readonly chainId: number
  readonly oracles: readonly string[]
  readonly pools: readonly string[]
  /** The active faults, oldest first. */
  readonly active: readonly ActiveScenario[]
}

/** A fault that stays active until a reset. */
type ActiveScenario = {
  readonly scenario: string
  readonly options: Readonly<Record<string, string | number>>
}

/** The options of a scenario and its chain. */
export type ScenarioFields = { readonly chainId?: number } & Readonly<Record<string, string | number>>

/** The result of a scenario: the newest block after it. */
export type ScenarioResult = { readonly blockNumber: number }

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

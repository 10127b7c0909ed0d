import { assertMining, mine } from './chain/mining.ts'
import type { ResettableContext } from './createScenarioContext.ts'
import { scenarios, type ScenarioName } from './scenarios.ts'
import type { Scenario } from './definition/defineScenario.ts'

/**
 * Removes the faults of one scenario from a chain, and keeps the others. Returns the number of a block without them.
 *
 * A later fault may build on an earlier one, such as two moves of a price. So all faults are removed, and the others injected again
 * in their order. Faults of the node and a stop of the mining do not touch others.
 *
 * @throws `svc/invalid-request` while mining is stopped, because the blocks would also mine the pending transactions
 */
export async function resetScenario(context: ResettableContext, name: ScenarioName): Promise<number> {
  if (!context.listActive().some(({ scenario }) => scenario === name)) return await context.waitUntilServed()
  const { part }: Scenario = scenarios[name]
  if (part === undefined) await resetAndRepeat(context, name)
  else {
    await removePart(context, part)
    context.forget(name)
  }
  return await context.waitUntilServed()
}

/** Removes all faults, and injects all except those of one scenario again. */
async function resetAndRepeat(context: ResettableContext, name: ScenarioName): Promise<void> {
  const others = context.listActive().filter(({ scenario }) => scenario !== name)
  await assertMining(context)
  // The others stay listed while they are removed for a moment.
  await context.keepList(async () => {
    await context.reset()
    for (const { scenario, options } of others) await inject(context, scenarios[scenario as ScenarioName], options)
  })
}

/** Removes the fault of a part of the stack, which has one at a time. */
async function removePart(context: ResettableContext, part: NonNullable<Scenario['part']>): Promise<void> {
  if (part === 'mining') return await mine.inject(context, {})
  context.getProxy().clear()
  context.resetCircuits()
}

/** Injects a scenario into a chain, and records it. */
export async function inject(context: ResettableContext, scenario: Scenario, options: object): Promise<void> {
  await scenario.inject(context, options as never)
  context.record(scenario, options as never)
}

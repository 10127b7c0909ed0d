import type { ErrorCode } from '@agio/core'
import { depeg, priceJump, sequencerDown } from './chain/feeds.ts'
import { mine, noMining } from './chain/mining.ts'
import { dryFaucet, poolFrozen, thinPool } from './chain/pools.ts'
import { marketClosed, priceMove, stalePrice } from './chain/prices.ts'
import { reorg } from './chain/reorg.ts'
import type { Scenario } from './definition/defineScenario.ts'
import type { OptionSpecs } from './definition/parseOptions.ts'
import { rpcDown, rpcGarbage, rpcRateLimited, rpcSlow } from './rpc/rpcFaults.ts'

/** Every scenario, by its name. */
export const scenarios = {
  'stale-price': stalePrice,
  'price-move': priceMove,
  'price-jump': priceJump,
  'sequencer-down': sequencerDown,
  depeg,
  'thin-pool': thinPool,
  'pool-frozen': poolFrozen,
  'market-closed': marketClosed,
  'no-mining': noMining,
  mine,
  reorg,
  'dry-faucet': dryFaucet,
  'rpc-down': rpcDown,
  'rpc-slow': rpcSlow,
  'rpc-rate-limited': rpcRateLimited,
  'rpc-garbage': rpcGarbage,
} as const

/** The name of a scenario. */
export type ScenarioName = keyof typeof scenarios

/** Returns whether a scenario has this name. */
export function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(scenarios, name)
}

/** Returns the commands of `agio scenario`, including reset, as plain data. */
export function listScenarios(): readonly ListedScenario[] {
  const listed = Object.values<Scenario>(scenarios).map(
    ({ inject: _, part: __, needsMining: ___, ...listed }) => listed,
  )
  return [...listed, reset]
}

/** A scenario as plain data. */
export type ListedScenario = {
  readonly name: string
  readonly description: string
  /** The effect on callers of the service. */
  readonly effect: string
  readonly options: OptionSpecs
  /** The error codes that callers of the service then receive. */
  readonly codes: readonly ErrorCode[]
  /** Whether the scenario has ended when it returns. Otherwise it stays active until a reset. */
  readonly isMomentary?: true
}

/** The options of a reset, besides its chain. */
export const resetSpecs: OptionSpecs = {
  scenario: { type: 'choice', of: Object.keys(scenarios), isOptional: true, description: 'the only fault to remove' },
}

const reset: ListedScenario = {
  name: 'reset',
  description: 'Removes every fault, resumes mining and pushes the prices, on all chains or on the named chain',
  effect: 'the same results as before the faults',
  options: resetSpecs,
  codes: [],
}

import type { Address, ErrorCode } from '@agio/core'
import type { Hex } from 'viem'
import type { LocalChain } from '../../chain/LocalChain.ts'
import type { Keeper } from '../../price/keeper.ts'
import type { ChainOperator } from '../node/createChainOperator.ts'
import type { FaultProxy } from '../node/startFaultProxies.ts'
import type { OptionsOf, OptionSpecs } from './parseOptions.ts'

/** Returns a scenario unchanged, with the types of its name and its options. */
export function defineScenario<const Name extends string, const Specs extends OptionSpecs>(
  scenario: Scenario<Name, Specs>,
): Scenario<Name, Specs> {
  return scenario
}

/** A fault on demand. */
export type Scenario<Name extends string = string, Specs extends OptionSpecs = OptionSpecs> = {
  readonly name: Name
  /** One line that describes the change. */
  readonly description: string
  /** The effect on callers of the service. */
  readonly effect: string
  readonly options: Specs
  /** The error codes that callers of the service then receive; empty if no request fails. */
  readonly codes: readonly ErrorCode[]
  /** Whether the scenario sends transactions. Such a scenario needs a chain that mines. */
  readonly needsMining?: true
  /**
   * The part of the local stack that the fault affects: the mining of the chain, or the connection to its node. A part has one
   * fault at a time: a later scenario with the same part replaces it. Other faults add up.
   */
  readonly part?: 'mining' | 'node'
  /** Whether the scenario has ended when it returns, and leaves no fault to reset. */
  readonly isMomentary?: true
  /** Injects the fault into one chain, and registers its undo with the context. */
  inject(context: ScenarioContext, options: OptionsOf<Specs>): Promise<void>
}

/** One chain, with everything that a scenario needs to change it. */
export type ScenarioContext = {
  readonly chain: LocalChain
  readonly operator: ChainOperator
  readonly keeper: Keeper
  /** The proxy between the service and its node. @throws `svc/invalid-request` if the service uses no proxy */
  getProxy(): FaultProxy
  /** Resets the service's circuit breakers of this chain, so that the next request reaches the node. */
  resetCircuits(): void
  /** Replaces the service's market hours of a feed from the next block on. Undefined restores them. */
  replaceSchedule(oracle: Address, schedule: string | undefined): void
  /** Takes a snapshot of the chain. A later scenario may revert to it. */
  saveCheckpoint(): Promise<void>
  /** The last snapshot; undefined before the first. */
  findCheckpoint(): Checkpoint | undefined
  /** Registers an undo; undos run last in, first out. */
  onReset(undo: () => void | Promise<void>): void
  /** Waits until the service reports a block of this chain. @throws `svc/upstream-timeout` */
  waitForServedBlock(blockNumber: bigint): Promise<void>
}

/** A snapshot of a chain, with its newest block. */
export type Checkpoint = { readonly snapshot: Hex; readonly blockNumber: bigint }

import type { Address, ErrorCode } from '@agio/core'
import type { Hex } from 'viem'
import type { LocalChain } from '../../chain/LocalChain.ts'
import type { Keeper } from '../../price/startKeeper.ts'
import type { ChainOperator } from '../node/createChainOperator.ts'
import type { FaultProxy } from '../node/startFaultProxies.ts'
import type { OptionsOf, OptionSpecs } from './parseOptions.ts'

/** Returns a scenario unchanged, with the types of its name and of its options. */
export function defineScenario<const Name extends string, const Specs extends OptionSpecs>(
  scenario: Scenario<Name, Specs>,
): Scenario<Name, Specs> {
  return scenario
}

/** A fault on demand. */
export type Scenario<Name extends string = string, Specs extends OptionSpecs = OptionSpecs> = {
  readonly name: Name
  /** One line on what it changes. */
  readonly description: string
  /** What callers of the service get then. */
  readonly effect: string
  readonly options: Specs
  /** The error codes that callers of the service get then; none if no request fails. */
  readonly codes: readonly ErrorCode[]
  /** Whether it sends transactions, and so needs a chain that mines. */
  readonly needsMining?: true
  /** What it changes, if that has one fault at a time: the next scenario of the same part replaces it. */
  readonly part?: 'mining' | 'node'
  /** Whether it is over when it returns, and leaves no fault to reset. */
  readonly isMomentary?: true
  /** Injects the fault into one chain, and registers with the context how to undo it. */
  inject(context: ScenarioContext, options: OptionsOf<Specs>): Promise<void>
}

/** One chain, with all that a scenario needs to change it. */
export type ScenarioContext = {
  readonly chain: LocalChain
  readonly operator: ChainOperator
  readonly keeper: Keeper
  /** The proxy between the service and its node. @throws `svc/invalid-request` if there is none */
  getProxy(): FaultProxy
  /** Resets the service's circuit breakers of this chain, so that the next request reaches the node. */
  resetCircuits(): void
  /** Replaces the market hours that the service has for a feed from the next block on; undefined restores them. */
  replaceSchedule(oracle: Address, schedule: string | undefined): void
  /** Takes a snapshot of the chain, to which a later scenario may return it. */
  saveCheckpoint(): Promise<void>
  /** The last of these snapshots; undefined before the first. */
  getCheckpoint(): Checkpoint | undefined
  /** Registers an undo; undos run last in, first out. */
  onReset(undo: () => void | Promise<void>): void
  /** Waits until the service reports a block of this chain. @throws `svc/upstream-timeout` */
  waitForServedBlock(blockNumber: bigint): Promise<void>
}

/** A snapshot of a chain, with its newest block. */
export type Checkpoint = { readonly snapshot: Hex; readonly blockNumber: bigint }

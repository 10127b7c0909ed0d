import type { ErrorCode } from '@agio/core'
import type { LocalChain } from '../LocalChain.ts'
import type { Keeper } from '../price/startKeeper.ts'
import type { Operator } from './chain/createOperator.ts'
import type { OptionsOf, OptionSpecs } from './options/OptionSpec.ts'
import type { FaultProxy } from './rpc/startFaultProxy.ts'

/** A fault that comes on demand. */
export type Scenario<Name extends string = string, Specs extends OptionSpecs = OptionSpecs> = {
  readonly name: Name
  /** One line that says what it does. */
  readonly description: string
  readonly options: Specs
  /** What callers of the service then see; none if nothing fails. */
  readonly codes: readonly ErrorCode[]
  /** Whether it sends transactions, and so cannot be had while nothing is mined. */
  readonly needsMining?: true
  /** Puts it in place on one chain, and leaves with the stage how it is taken away. */
  put(stage: Stage, options: OptionsOf<Specs>): Promise<void>
}

/** One chain, with all that a scenario acts by. */
export type Stage = {
  readonly chain: LocalChain
  readonly operator: Operator
  readonly keeper: Keeper
  /** What stands between the service and the node. @throws `svc/invalid-request` if nothing does */
  getProxy(): FaultProxy
  /** Lets the service ask its node at once, whatever it knows of it. */
  letAsk(): void
  /** Does this at the next reset, before what was said earlier. It may find that somebody else has done it already. */
  onReset(undo: () => void | Promise<void>): void
  /** Waits until the service has seen a block. @throws `svc/upstream-timeout` */
  untilSeen(blockNumber: bigint): Promise<void>
}

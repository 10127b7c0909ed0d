import type { Address, PoolState, Token } from '@agio/core'
import type { Head } from '../head/Head.ts'

/** Every pool of the deployment at one block. */
export type Snapshot = {
  readonly block: Head
  readonly pools: readonly PoolState[]
  /** The tokens of the pools, by address. */
  readonly tokens: ReadonlyMap<Address, Token>
}

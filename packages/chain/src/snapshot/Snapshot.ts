import type { Address, Pool, Token } from '@agio/core'
import type { Head } from '../head/Head.ts'

/** Every readable pool of the deployment at one block. */
export type Snapshot = {
  readonly block: Head
  readonly pools: readonly Pool.Pool[]
  /** The pools of the deployment that could not be read. */
  readonly unreadablePools: readonly Address[]
  /** The tokens of the pools, by address. */
  readonly tokens: ReadonlyMap<Address, Token>
}

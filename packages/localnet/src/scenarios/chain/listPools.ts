import type { Address } from '@agio/core'
import type { LocalChain } from '../../chain/LocalChain.ts'

/** Returns the pools of a chain with their names: all pools, or the named pool. */
export function listPools({ pools }: LocalChain, name: string | undefined): readonly (readonly [string, Address])[] {
  return Object.entries(pools).filter(([pool]) => name === undefined || pool === name)
}

import type { PoolSide, PoolState } from './PoolState.ts'

/** Returns the index of a side in its pool: 0 is the foreign token, 1 the dollar. */
export function indexOf({ base }: PoolState, side: PoolSide): 0 | 1 {
  return side.token.address === base.token.address ? 0 : 1
}

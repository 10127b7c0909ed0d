import type { Law } from './Law.ts'
import { limitLaws } from './limits.ts'
import { liquidityLaws } from './liquidity.ts'
import { swapLaws } from './swaps.ts'

/** All laws, in the order of the report. */
export const laws: readonly Law[] = Object.entries({ ...swapLaws, ...limitLaws, ...liquidityLaws }).map(
  ([name, law]) => ({ name, ...law }),
)

export { directions, type Direction, type Law } from './Law.ts'

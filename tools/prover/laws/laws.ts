import type { Law } from './Law.ts'
import { limitLaws } from './limits.ts'
import { liquidityLaws } from './liquidity.ts'
import { swapLaws } from './swaps.ts'

/** All laws, in the order of the report. */
export const laws: readonly Law[] = [...swapLaws, ...limitLaws, ...liquidityLaws]

export { directions, type Direction, type Law } from './Law.ts'

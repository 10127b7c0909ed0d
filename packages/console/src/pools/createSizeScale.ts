import { scaleLinear, scaleLog } from 'd3-scale'
import { listDecades } from '../plot/listDecades.ts'
import { listTicks } from '../plot/listTicks.ts'
import type { Range } from './toCurve.ts'

/** The kind of a size axis: logarithmic, or linear from zero. */
export type SizeAxis = 'log' | 'linear'

/** Creates the scale of a size axis from 0 to `length`. */
export function createSizeScale({ min, max }: Range, axis: SizeAxis, length: number) {
  return axis === 'log' ? scaleLog([min, max], [0, length]) : scaleLinear([0, max], [0, length])
}

/** Lists the ticks of a size axis, about `maxCount` at most. */
export function listSizeTicks(sizes: Range, axis: SizeAxis, maxCount: number) {
  return axis === 'log' ? listDecades(sizes, maxCount) : listTicks({ from: 0, to: sizes.max }, maxCount)
}

import { powerOfTen } from '../amount/powerOfTen.ts'
import { ceilDiv, one } from '../integer/integers.ts'
import type { Hop } from './Hop.ts'
import type { PoolSide } from './PoolState.ts'

type Limit = { readonly target: PoolSide; readonly alpha: bigint; readonly maxRaw: bigint }

// Every preview needs the limit. The sides of a pool stay the same objects until the next block.
const limits = new WeakMap<PoolSide, Limit>()

/**
 * Returns the largest input that keeps the output side within the pool's halt, in raw units of the input token. Returns
 * zero if that side is already at or below its lower bound.
 *
 * @see ARCHITECTURE.md, "Pool maths"
 */
export function getMaxOrigin({ pool: { alpha }, origin, target }: Hop): bigint {
  const known = limits.get(origin)
  if (known?.target === target && known.alpha === alpha) return known.maxRaw
  const maxRaw = computeMaxOrigin(origin, target, alpha)
  limits.set(origin, { target, alpha, maxRaw })
  return maxRaw
}

function computeMaxOrigin(origin: PoolSide, target: PoolSide, alpha: bigint): bigint {
  const originScale = scaleOf(origin)
  const originValue = origin.reserve * originScale
  const targetValue = target.reserve * scaleOf(target)
  const floorValue = ceilDiv((originValue + targetValue) * (one - alpha), 2n * one)
  return targetValue > floorValue ? (targetValue - floorValue) / originScale : 0n
}

/** Returns the value of one raw unit: the price scaled by 10^18. */
function scaleOf(side: PoolSide): bigint {
  return (side.price.answer * one) / powerOfTen(side.token.decimals)
}

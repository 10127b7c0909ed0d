import { powerOfTen } from '../powerOfTen.ts'
import { ceilDiv, one } from './integers.ts'
import type { PoolSide } from './PoolState.ts'

type Limit = { readonly target: PoolSide; readonly alpha: bigint; readonly maxRaw: bigint }

// A pool's sides are the same objects for as long as its block is the newest, and are asked for their limit at every preview.
const limits = new WeakMap<PoolSide, Limit>()

/**
 * The largest input that leaves the output side inside the pool's halt, in raw units of the input token.
 * Zero if that side is at or below its lower bound already.
 *
 * @see ARCHITECTURE.md, "The pool's maths"
 */
export function getMaxOrigin(origin: PoolSide, target: PoolSide, alpha: bigint): bigint {
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

/** Value of one raw unit: the price, scaled by 10^18. */
function scaleOf(side: PoolSide): bigint {
  return (side.price.answer * one) / powerOfTen(side.token.decimals)
}

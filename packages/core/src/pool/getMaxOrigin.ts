import { ceilDiv, one, unitsOf } from './integers.ts'
import type { PoolSide } from './PoolState.ts'

/**
 * The largest input that leaves the output side inside the pool's halt, in raw units of the input token.
 * Zero if that side is at or below its lower bound already.
 *
 * @see ARCHITECTURE.md, "The pool's maths"
 */
export function getMaxOrigin(origin: PoolSide, target: PoolSide, alpha: bigint): bigint {
  const originScale = scaleOf(origin)
  const originValue = origin.reserve * originScale
  const targetValue = target.reserve * scaleOf(target)
  const floorValue = ceilDiv((originValue + targetValue) * (one - alpha), 2n * one)
  return targetValue > floorValue ? (targetValue - floorValue) / originScale : 0n
}

/** Value of one raw unit: the price, scaled by 10^18. */
function scaleOf(side: PoolSide): bigint {
  return (side.price.answer * one) / unitsOf(side.token.decimals)
}

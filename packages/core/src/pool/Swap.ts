import * as Amount from '../amount/Amount.ts'
import * as Curve from '../curve/Curve.ts'
import * as CurveInput from '../curve/CurveInput.ts'
import { CurveRevert } from '../curve/CurveRevert.ts'
import { ServiceError } from '../errors/ServiceError.ts'
import * as Hop from './Hop.ts'
import * as OraclePrice from './OraclePrice.ts'
import * as PoolErrors from './PoolErrors.ts'
import * as PoolMath from './PoolMath.ts'

/**
 * Returns the output that a pool pays when an exact input is executed, in raw units. The pool may not be priced on chain.
 *
 * @param nowSeconds the timestamp of the block of the state
 * @throws the errors of `PoolMath.priceExactIn`, and `svc/no-convergence` for an amount that the curve of a DFX
 * pool does not price
 */
export function priceExactIn(hop: Hop.Hop, amountInRaw: bigint, nowSeconds: bigint): bigint {
  const { curve } = hop.pool
  if (!curve) return PoolMath.priceExactIn(hop, amountInRaw, nowSeconds).amountOutRaw
  Hop.assertPriceable(hop, amountInRaw, nowSeconds)
  const amountOutRaw = execute(hop, curve, amountInRaw)
  if (amountOutRaw === 0n) throw PoolErrors.amountTooSmall(hop)
  return amountOutRaw
}

/** Returns the output that a pool pays for an exact input, in raw units; undefined if it refuses the input. */
export function findOutput(hop: Hop.Hop, amountInRaw: bigint, nowSeconds: bigint): bigint | undefined {
  try {
    const { curve } = hop.pool
    if (!curve) return PoolMath.priceExactIn(hop, amountInRaw, nowSeconds).amountOutRaw
    Hop.assertPriceable(hop, amountInRaw, nowSeconds)
    const outcome = CurveInput.tryExecution(curve, { inputIndex: Hop.inputIndex(hop), amountRaw: amountInRaw })
    return typeof outcome === 'bigint' && outcome > 0n ? outcome : undefined
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

function execute(hop: Hop.Hop, curve: Curve.Curve, amountInRaw: bigint): bigint {
  const { token } = hop.origin
  const swap = { inputIndex: Hop.inputIndex(hop), amountRaw: amountInRaw }
  try {
    return Curve.execute(curve, swap)
  } catch (error) {
    if (!(error instanceof CurveRevert)) throw error
    if (error.reason !== 'Curve/swap-convergence-failed') throw PoolErrors.aboveLimit(token, amountInRaw, maxInput(hop))
    throw PoolErrors.noConvergence(token, amountInRaw, CurveInput.findNearest(curve, swap))
  }
}

// The search takes some hundred steps, and its result stays the same until the next block.
const largestInputs = new WeakMap<Curve.Curve, Map<0 | 1, bigint>>()

/**
 * Returns the largest input of a hop, in raw units; zero if the pool takes none. The pool halts for larger inputs. For
 * a pool priced on chain the result is an estimate.
 */
export function maxInput(hop: Hop.Hop): bigint {
  const { curve } = hop.pool
  if (!curve) return PoolMath.maxOrigin(hop)
  const bySide = largestInputs.get(curve) ?? new Map<0 | 1, bigint>()
  largestInputs.set(curve, bySide)
  const inputIndex = Hop.inputIndex(hop)
  const maxRaw = bySide.get(inputIndex) ?? CurveInput.largest(curve, inputIndex)
  bySide.set(inputIndex, maxRaw)
  return maxRaw
}

/**
 * Returns the smallest input for which a pool pays at least an output, in raw units; undefined if no input pays it.
 *
 * For a pool priced by our maths, the pool's limit is not checked.
 */
export function findSmallestInput(hop: Hop.Hop, amountOutRaw: bigint): bigint | undefined {
  const guessRaw = PoolMath.smallestInput(hop, amountOutRaw)
  const { curve } = hop.pool
  if (!curve) return guessRaw
  return CurveInput.findSmallest(curve, {
    inputIndex: Hop.inputIndex(hop),
    amountOutRaw,
    guessRaw,
    maxRaw: maxInput(hop),
  })
}

/**
 * Returns the largest input of a hop, as a decimal of the input token. Returns undefined if the pool is frozen, if a
 * price does not count, or if the pool is priced on chain.
 */
export function findMaxAmountIn(hop: Hop.Hop, nowSeconds: bigint): string | undefined {
  const { pool, origin, target } = hop
  if (pool.pricing === 'on-chain' || pool.frozen) return undefined
  if (!OraclePrice.isValid(origin.price, nowSeconds) || !OraclePrice.isValid(target.price, nowSeconds)) return undefined
  return Amount.format(maxInput(hop), origin.token.decimals)
}

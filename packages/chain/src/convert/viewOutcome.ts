import { Errors, PoolErrors, PoolMath, ServiceError, type Hop, type Token } from '@agio/core'
import type { Hex } from 'viem'
import { poolAbi } from '../abi/index.ts'
import { type Result, decodeResult } from '../reader/decodeResult.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { toRevertError } from '../revert/toRevertError.ts'

/** The outcome of a route for an input: the output, which is at least one raw unit, or the error that refuses the input. */
export type Outcome = bigint | ServiceError

/** Returns the price by our maths, or the error that refuses the input. */
export function tryPrice(price: () => bigint): Outcome {
  try {
    return price()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

/**
 * Returns whether an outcome refuses an input for its size. `svc/no-convergence` counts, because the iteration of a pool
 * rarely fails to converge below the halt.
 */
export function isLimit(outcome: Outcome): boolean {
  return codeOf(outcome) === 'svc/above-max-origin' || codeOf(outcome) === 'svc/no-convergence'
}

/** Converts the outcome of a pool of a route: its error names only the input of the route. */
export function toFirstToken(outcome: Outcome, token: Token, amountInRaw: bigint): Outcome {
  if (codeOf(outcome) === 'svc/above-max-origin') return PoolErrors.aboveLimit(token, amountInRaw)
  return codeOf(outcome) === 'svc/no-convergence' ? PoolErrors.noConvergence(token, amountInRaw) : outcome
}

function codeOf(outcome: Outcome): string | undefined {
  return outcome instanceof ServiceError ? outcome.code : undefined
}

/** Converts the result of a pool's view. Without a result, the view needs more gas than the node grants. */
export function toOutcome(result: Result | undefined, hop: Hop.Hop, amountInRaw: bigint): Outcome {
  if (!result) return noResult()
  if (!result.success) return toViewError(result.data, hop, amountInRaw)
  const amountOutRaw = decodeResult(result, poolAbi, 'viewOriginSwap')
  // The views of the DFX family return zero in cases in which the views of our pools revert.
  return amountOutRaw === 0n ? PoolErrors.amountTooSmall(hop) : amountOutRaw
}

/** Returns the error for a view without a result. */
export function noResult(): ServiceError {
  return Errors.upstreamError({ action: "read a pool's view", reason: 'it needs more gas than the node grants' })
}

function toViewError(revertData: Hex, { origin, target }: Hop.Hop, amountInRaw: bigint) {
  const conversion = { tokenIn: origin.token, tokenOut: target.token, amountInRaw }
  const failure = toRevertError(decodeRevert(revertData), conversion)
  // Pools of the DFX family overflow without a reason. An amount worth more than the pool's reserve is above its limit.
  const isAboveLimit = hasNoReason(failure) && PoolMath.valueAtOracle({ origin, target }, amountInRaw) > target.reserve
  return isAboveLimit ? PoolErrors.aboveLimit(origin.token, amountInRaw) : failure
}

/** Returns whether a contract reverted without a reason, or by an overflow. */
function hasNoReason(failure: ServiceError): boolean {
  if (failure.code !== 'svc/reverted') return false
  const { name, args } = (failure as ServiceError<'svc/reverted'>).details.revert
  return name === 'Revert' || (name === 'Panic' && args[0] === '17')
}

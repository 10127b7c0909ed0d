import { Amount, Errors, type Token } from '@agio/core'

/**
 * Asserts that the conversion pays at least the minimum. The minimum is never lowered.
 *
 * @throws `svc/below-min-target`
 */
export function assertAboveMin({ amountOutRaw, worstCaseOutRaw }: Output, minRaw: bigint, token: Token): void {
  if (worstCaseOutRaw >= minRaw) return
  const { decimals, symbol } = token
  const [amountOut, minAmountOut] = [Amount.format(worstCaseOutRaw, decimals), Amount.format(minRaw, decimals)]
  const verb = worstCaseOutRaw < amountOutRaw ? 'may be' : 'is'
  throw Errors.belowMinTarget({ symbol, verb, amountOut, minAmountOut })
}

/** Asserts that the conversion costs at most the maximum. The maximum is never raised. @throws `svc/above-max-input` */
export function assertBelowMax(amountInRaw: bigint, maxRaw: bigint, { decimals, symbol }: Token): void {
  if (amountInRaw <= maxRaw) return
  const [amountIn, maxAmountIn] = [Amount.format(amountInRaw, decimals), Amount.format(maxRaw, decimals)]
  throw Errors.aboveMaxInput({ symbol, amountIn, maxAmountIn })
}

type Output = {
  readonly amountOutRaw: bigint
  /** The least that executing the quote can pay on unchanged pools. */
  readonly worstCaseOutRaw: bigint
}

import { Amount, ServiceError, type Token } from '@agio/core'

/** @throws `svc/below-min-target` if the conversion may pay less than the minimum, which is never lowered */
export function assertAboveMin({ amountOutRaw, worstCaseOutRaw }: Output, minRaw: bigint, token: Token): void {
  if (worstCaseOutRaw >= minRaw) return
  const { decimals, symbol } = token
  const [amountOut, minAmountOut] = [Amount.format(worstCaseOutRaw, decimals), Amount.format(minRaw, decimals)]
  const is = worstCaseOutRaw < amountOutRaw ? 'may be only' : 'is'
  throw new ServiceError(
    'svc/below-min-target',
    `Cannot convert: the output ${is} ${amountOut} ${symbol} now, less than the requested ${minAmountOut} ${symbol}`,
    { amountOut, minAmountOut },
  )
}

/** @throws `svc/above-max-input` if the conversion costs more than the maximum, which is never raised */
export function assertBelowMax(amountInRaw: bigint, maxRaw: bigint, { decimals, symbol }: Token): void {
  if (amountInRaw <= maxRaw) return
  const [amountIn, maxAmountIn] = [Amount.format(amountInRaw, decimals), Amount.format(maxRaw, decimals)]
  throw new ServiceError(
    'svc/above-max-input',
    `Cannot convert: the input is ${amountIn} ${symbol} now, more than the requested ${maxAmountIn} ${symbol}`,
    { amountIn, maxAmountIn },
  )
}

type Output = {
  readonly amountOutRaw: bigint
  /** The least that executing the quote can pay on unchanged pools. */
  readonly worstCaseOutRaw: bigint
}

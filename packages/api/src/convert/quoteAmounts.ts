import { Amount, Errors, type ServiceError, type Token } from '@agio/core'

/** The fixed amount of a quote, and its limit if the request has one. */
export type QuoteAmounts = {
  readonly mode: 'exact-in' | 'exact-out'
  readonly amount: string
  /** The least to receive for an exact input, the most to pay for an exact output. */
  readonly limit: string | undefined
}

/** The fields of a request for the amounts of its quote. */
export type AmountFields = {
  readonly amountIn?: string | undefined
  readonly amountOut?: string | undefined
  readonly minAmountOut?: string | undefined
  readonly maxAmountIn?: string | undefined
  readonly slippageBps?: number | undefined
}

/**
 * Reads the fixed amount and its limit.
 *
 * @throws `svc/invalid-request` unless the request has exactly one amount, and at most one limit for the other amount
 */
export function toQuoteAmounts({ amountIn, amountOut, ...limits }: AmountFields): QuoteAmounts {
  if (amountIn !== undefined && amountOut !== undefined) {
    throw invalid('amountOut', amountOut, 'pass either amountIn or amountOut, not both')
  }
  if (amountIn !== undefined) {
    const limit = findLimit(limits, ['minAmountOut', 'maxAmountIn'])
    return { mode: 'exact-in', amount: amountIn, limit }
  }
  if (amountOut !== undefined) {
    const limit = findLimit(limits, ['maxAmountIn', 'minAmountOut'])
    return { mode: 'exact-out', amount: amountOut, limit }
  }
  throw invalid('amountIn', undefined, 'pass either amountIn or amountOut')
}

/** Returns the amounts in raw units. @throws `svc/invalid-request` for an amount with more digits than its token has */
export function toRawAmounts({ mode, amount, limit }: QuoteAmounts, { tokenIn, tokenOut }: Tokens) {
  const isInput = mode === 'exact-in'
  const [token, limitToken] = isInput ? [tokenIn, tokenOut] : [tokenOut, tokenIn]
  const limitField = isInput ? 'minAmountOut' : 'maxAmountIn'
  return {
    mode,
    amountRaw: Amount.parse(amount, token.decimals, isInput ? 'amountIn' : 'amountOut'),
    limit: limit === undefined ? undefined : parseLimit(limit, limitToken, limitField),
  }
}

type Tokens = { readonly tokenIn: Token; readonly tokenOut: Token }

type Limits = Pick<AmountFields, 'minAmountOut' | 'maxAmountIn' | 'slippageBps'>

type LimitField = 'minAmountOut' | 'maxAmountIn'

function findLimit(limits: Limits, [field, otherField]: readonly [LimitField, LimitField]): string | undefined {
  const { [field]: limit, [otherField]: misplaced, slippageBps } = limits
  if (misplaced !== undefined)
    throw invalid(
      otherField,
      misplaced,
      `with ${field === 'minAmountOut' ? 'amountIn' : 'amountOut'}, pass ${field} instead`,
    )
  if (limit !== undefined && slippageBps !== undefined) {
    throw invalid('slippageBps', slippageBps, `pass either slippageBps or ${field}, not both`)
  }
  return limit
}

function parseLimit(text: string, token: Token, field: LimitField) {
  return { raw: Amount.parse(text, token.decimals, field), token }
}

function invalid(field: string, value: unknown, reason: string): ServiceError<'svc/invalid-request'> {
  return Errors.invalidRequest({ field, value, reason })
}

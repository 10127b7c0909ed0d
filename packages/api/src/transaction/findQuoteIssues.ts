import type { BuiltConvert, CallPermit } from '@agio/chain'
import { Amount, type Token } from '@agio/core'
import { getMaxAmountInRaw } from '../quote/getMaxAmountInRaw.ts'
import type { MarketNow } from '../quote/priceQuoteNow.ts'
import type { QuoteTerms } from '../quote/QuoteTerms.ts'
import { findIssues, findSpender, type Issue } from './findIssues.ts'

/**
 * Lists why the conversion of a quote would fail if its wallet sent it now. The amount to approve is the most that the
 * quote may take, so that a price change within the limit does not exceed the allowance.
 */
export function findQuoteIssues(
  { terms, tokenIn, tokenOut, permit }: findQuoteIssues.Quote,
  built: BuiltConvert,
  market: MarketNow | undefined,
): Issue[] {
  const maxAmountInRaw = getMaxAmountInRaw(terms)
  const amountInRaw = market?.side === 'in' ? market.nowRaw : BigInt(terms.amountIn)
  const needs = {
    token: tokenIn,
    amountInRaw: amountInRaw < maxAmountInRaw ? amountInRaw : maxAmountInRaw,
    approvalRaw: maxAmountInRaw,
    spender: findSpender({ permit, pool: terms.pool ?? undefined }),
    gasWei: built.gasLimit * built.maxFeePerGas,
  }
  return [...findIssues(needs, built.account), ...findLimitIssue(market, { tokenIn, tokenOut })]
}

export declare namespace findQuoteIssues {
  type Quote = {
    readonly terms: QuoteTerms
    readonly tokenIn: Token
    readonly tokenOut: Token
    /** The signature that pays the conversion, if any. */
    readonly permit?: CallPermit | undefined
  }
}

function findLimitIssue(
  market: MarketNow | undefined,
  { tokenIn, tokenOut }: Pick<findQuoteIssues.Quote, 'tokenIn' | 'tokenOut'>,
): Issue[] {
  if (!market || market.isWithinLimit) return []
  const [code, token, subject, bound] =
    market.side === 'in'
      ? (['svc/above-max-input', tokenIn, 'input', 'more than the maximum'] as const)
      : (['svc/below-min-target', tokenOut, 'output', 'less than the minimum'] as const)
  const [now, limit] = [market.executedRaw, market.limitRaw].map((raw) => Amount.format(raw, token.decimals))
  const message = `The ${subject} is ${now} ${token.symbol} now, ${bound} of ${limit} ${token.symbol}`
  const [required = '', current = ''] = market.side === 'in' ? [now, limit] : [limit, now]
  return [{ code, message, required, current }]
}

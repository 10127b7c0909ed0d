import type { BuiltConvert, Chain, Snapshot } from '@agio/chain'
import { Amount, type Address } from '@agio/core'
import { priceQuoteNow } from '../quote/priceQuoteNow.ts'
import { type QuoteTerms, toConversionCall } from '../quote/QuoteTerms.ts'
import type { SignedPermit } from '../schema/permit.ts'
import { getToken } from '../pools/snapshot.ts'
import { toBatch, buildCall } from './batch.ts'
import { acceptPermit } from './acceptPermit.ts'
import { type Issue, findQuoteIssues } from './findIssues.ts'

/**
 * Builds the conversion of a quote for a wallet, at the limits of the quote. If the market has passed a limit, the
 * result has an issue.
 *
 * @throws the errors of `Chain.conversions.build` and `acceptPermit`, and the error of a pool that refuses the
 * conversion now
 */
export async function buildQuoted(
  chain: Chain,
  snapshot: Snapshot,
  { quote, terms, userAddress, permit }: buildQuoted.Options,
): Promise<BuiltQuote> {
  const [tokenIn, tokenOut] = [getToken(snapshot, terms.tokenIn, 'quote'), getToken(snapshot, terms.tokenOut, 'quote')]
  const call = toConversionCall(terms, { userAddress, tokenIn, tokenOut })
  const callPermit = permit && (await acceptPermit(chain, call, { permit, quote }))
  const market = await priceQuoteNow(chain, snapshot, terms)
  // A conversion that would revert has no estimate.
  const gas = market?.isWithinLimit === false ? 'upper-bound' : 'estimate'
  const { calls, ...built } = await buildCall(chain, { ...call, permit: callPermit, gas })
  return {
    built,
    ...(calls && toBatch(calls)),
    issues: findQuoteIssues({ terms, tokenIn, tokenOut, permit: callPermit }, built, market),
    ...(market?.side === 'out' && { amountOutNow: Amount.format(market.nowRaw, tokenOut.decimals) }),
    ...(market?.side === 'in' && { amountInNow: Amount.format(market.nowRaw, tokenIn.decimals) }),
  }
}

export declare namespace buildQuoted {
  type Options = {
    /** The text of the quote. */
    readonly quote: string
    readonly terms: QuoteTerms
    readonly userAddress: Address
    /** The signature that pays the conversion, if any. */
    readonly permit?: SignedPermit | undefined
  }
}

type BuiltQuote = {
  readonly built: BuiltConvert
  readonly issues: Issue[]
  /** Every call that the conversion needs; absent with a permit. */
  readonly calls?: ReturnType<typeof toBatch>['calls']
  readonly callGasLimits?: ReturnType<typeof toBatch>['callGasLimits']
  /** The current output of the input, in whole tokens; absent for a fixed output, and if it cannot be priced now. */
  readonly amountOutNow?: string
  /** The current cost of the output, in whole tokens; absent for a fixed input, and if it cannot be priced now. */
  readonly amountInNow?: string
}

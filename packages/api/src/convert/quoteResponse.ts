import { Amount, Conversion, Fee, PricedRoute, Rate, Route, Timestamp, type Hop, type Token } from '@agio/core'
import { z } from 'zod'
import type { PricedConversion } from '../quote/priceConversion.ts'
import type { QuoteTerms } from '../quote/QuoteTerms.ts'
import {
  addressOut,
  blockNumber,
  blockTimestamp,
  conversionModes,
  decimal,
  hashOut,
  integerText,
  routeFeeRate,
  signedDecimal,
  timestamp,
  quoteText,
} from '../schema/fields.ts'
import { gasTerms } from '../schema/transactions.ts'
import { localExamples } from '../schema/localExamples.ts'
import { otherTokenExample, tokenReference, toTokenReference } from '../schema/tokens.ts'
import { marketState, toMarketState } from '../market/marketState.ts'
import { issue } from '../transaction/findIssues.ts'

const hop = z
  .object({
    address: addressOut.meta({ description: 'Address of the pool', example: localExamples.pool }),
    tokenIn: tokenReference.meta({ description: 'Token that the pool takes', example: otherTokenExample }),
    tokenOut: tokenReference.describe('Token that the pool pays'),
    fee: z.string().meta({ description: 'Fee of the pool', example: '0.05%' }),
  })
  .meta({ id: 'QuoteHop', description: 'A pool of the route of a quote' })

const parts = z
  .object({
    impact: signedDecimal.meta({
      description:
        "Amount that the pools add to the oracles' amount. Negative if they pay less. Zero for our own pools",
      example: '0.000000',
    }),
    fee: signedDecimal.meta({ description: 'Fees of the pools', example: '0.325600' }),
    rounding: signedDecimal.meta({ description: 'Loss by rounding', example: '0.000000' }),
  })
  .meta({
    id: 'QuoteParts',
    description: 'In the output token, exactly: `oracleAmountOut` + `impact` - `fee` - `rounding` = `amountOut`',
  })

/** A quote in a response. */
export const quoteResponse = z
  .object({
    quote: quoteText.describe(
      'The quote, for `transaction/build/convert`, `transaction/broadcast/convert` and `convert/receipt`. It contains letters, digits, `-`, `_` and `.`, and is valid only for this API key',
    ),
    expiresAt: timestamp.meta({
      description:
        'Time at which the quote expires, by the clock or by the time of a block. Not later than the next close of the markets of its prices',
      example: '2026-11-21T05:01:00.000Z',
    }),
    mode: z.enum(conversionModes).meta({
      description: 'The fixed amount: the input for `exact-in`, the output for `exact-out`',
      example: 'exact-in',
    }),
    amountIn: decimal.meta({ description: 'Amount to pay', example: '1000.000000' }),
    amountOut: decimal.describe('Amount to receive, after all fees'),
    minAmountOut: decimal
      .optional()
      .meta({ description: 'Smallest amount to receive. Only for `exact-in`', example: '650.548962' }),
    maxAmountIn: z
      .string()
      .regex(Amount.pattern)
      .optional()
      .describe(
        'Largest amount to pay, which is the amount to approve. Only for `exact-out`. Equal to `amountIn` if no contract can swap for an exact output',
      ),
    tokenIn: tokenReference.meta({ description: 'Token to pay', example: otherTokenExample }),
    tokenOut: tokenReference.describe('Token to receive'),
    spender: addressOut.meta({
      description: 'Contract that the conversion calls. Approve it for `tokenIn`',
      example: localExamples.router,
    }),
    route: z.array(hop).min(1).max(Route.maxHops).describe('Pools of the conversion, in order'),
    exchangeRate: decimal.meta({ description: '`amountOut` per `amountIn`', example: '0.65087440' }),
    inverseRate: decimal.meta({ description: '`amountIn` per `amountOut`', example: '1.53639473' }),
    oracleRate: decimal.meta({ description: '`oracleAmountOut` per `amountIn`', example: '0.65120000' }),
    oracleAmountOut: decimal.meta({
      description: "Value of `amountIn` at the oracles' prices, before all fees",
      example: '651.200000',
    }),
    parts,
    routeFeeRate,
    market: marketState.optional(),
    blockNumber,
    blockHash: hashOut.meta({ description: 'Hash of that block', example: `0x${'ab'.repeat(32)}` }),
    blockTimestamp,
    gasLimit: integerText
      .optional()
      .meta({ description: 'Gas limit, with a margin. Only with `userAddress`', example: '215601' }),
    maxFeePerGas: gasTerms.maxFeePerGas.optional(),
    maxPriorityFeePerGas: gasTerms.maxPriorityFeePerGas.optional(),
    gasEstimateSource: gasTerms.gasEstimateSource.optional(),
    l1Fee: gasTerms.l1Fee,
    issues: z.array(issue).optional().meta({
      description: 'Reasons why the conversion would fail if the wallet sent it now. Only with `userAddress`',
      example: [],
    }),
  })
  .meta({ id: 'Quote', description: 'A conversion at terms that are fixed until `expiresAt`' })

/** Returns a quote in the form of a response, without its text, gas and issues. */
export function toQuoteResponse(
  terms: QuoteTerms,
  { route, block, ...amounts }: PricedConversion,
  { tokenIn, tokenOut }: toQuoteResponse.Tokens,
) {
  const { amountInRaw, amountOutRaw, limitRaw } = amounts
  const hops = PricedRoute.from(route)
  const executed = terms.execution === 'target-swap' ? 'exact-out' : 'exact-in'
  const explained = Conversion.explain(hops, { mode: executed, amountInRaw, amountOutRaw })
  const input = { raw: amountInRaw, decimals: tokenIn.decimals }
  const toOut = (raw: bigint) => ({ raw, decimals: tokenOut.decimals })
  const formatOut = (raw: bigint) => Amount.formatSigned(raw, tokenOut.decimals)
  return {
    expiresAt: Timestamp.fromSeconds(BigInt(terms.expiresAt)),
    mode: terms.mode,
    amountIn: Amount.format(amountInRaw, tokenIn.decimals),
    amountOut: formatOut(amountOutRaw),
    ...(terms.mode === 'exact-in'
      ? { minAmountOut: formatOut(limitRaw) }
      : { maxAmountIn: Amount.format(limitRaw, tokenIn.decimals) }),
    tokenIn: toTokenReference(tokenIn),
    tokenOut: toTokenReference(tokenOut),
    spender: terms.to,
    route: route.map(toHop),
    exchangeRate: Rate.format(input, toOut(amountOutRaw)),
    inverseRate: Rate.format(toOut(amountOutRaw), input),
    oracleRate: Rate.format(input, toOut(explained.oracleAmountOutRaw)),
    oracleAmountOut: formatOut(explained.oracleAmountOutRaw),
    parts: {
      impact: formatOut(explained.impactRaw),
      fee: formatOut(explained.feeRaw),
      rounding: formatOut(explained.roundingRaw),
    },
    routeFeeRate: Fee.formatRoute(hops),
    ...toMarketState(route, block.timestampSeconds),
    blockNumber: Number(block.number),
    blockHash: block.hash,
    blockTimestamp: Timestamp.fromSeconds(block.timestampSeconds),
  }
}

export declare namespace toQuoteResponse {
  type Tokens = { readonly tokenIn: Token; readonly tokenOut: Token }
}

function toHop({ pool, origin, target }: Hop.Hop): z.output<typeof hop> {
  return {
    address: pool.address,
    tokenIn: toTokenReference(origin.token),
    tokenOut: toTokenReference(target.token),
    fee: Fee.format(pool.epsilon),
  }
}

import type { ConversionOutcome, ExecutedConversion, FailedConversion } from '@agio/chain'
import { Amount, Conversion, Fee, PricedRoute, Rate, Slippage, type Address, type Token } from '@agio/core'
import { z } from 'zod'
import { addressOut, decimal, oracleMoments, routeFeeRate, signedDecimal } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { otherTokenExample, tokenReference, toTokenReference } from '../schema/tokens.ts'
import { failure, toFailure, transactionStatus } from '../transaction/broadcastResult.ts'

const parts = z
  .object({
    priceMove: signedDecimal.meta({
      description:
        "Change of the amount by the oracles' price changes from the quote to the execution. Zero without a quote",
      example: '0.000000',
    }),
    impact: signedDecimal.meta({
      description:
        "Amount that the pools added to the oracles' amount. Negative if they paid less. Zero for our own pools",
      example: '0.000000',
    }),
    fee: signedDecimal.meta({ description: 'Fees of the pools', example: '0.325600' }),
    rounding: signedDecimal.meta({ description: 'Loss by rounding', example: '0.000000' }),
  })
  .meta({
    id: 'ReceiptParts',
    description:
      'In the output token, exactly: `oracleAmountOut` + `priceMove` + `impact` - `fee` - `rounding` = `amountOut`',
  })

const oracleAt = z.enum(oracleMoments).meta({
  description:
    "Source of the oracles' prices: the `execution`, or the `quote` of the request. `unavailable` if the prices of the execution are uncertain, for example because no node has the state of that block. The fields that need the prices are then absent",
  example: 'execution',
})

/** The fields of one conversion of a transaction. */
export const conversionFields = {
  status: transactionStatus,
  mode: z.enum(['exact-in', 'exact-out']).optional().meta({
    description: 'Amount that the transaction fixed: the input or the output. Absent if unknown',
    example: 'exact-in',
  }),
  payer: addressOut.optional().meta({ description: 'Account that paid', example: localExamples.wallet }),
  recipient: addressOut.optional().meta({ description: 'Account that received', example: localExamples.wallet }),
  tokenIn: tokenReference.optional().meta({ description: 'Token paid', example: otherTokenExample }),
  tokenOut: tokenReference
    .optional()
    .meta({ description: 'Token received', example: { address: localExamples.tUSD, symbol: 'tUSD', decimals: 6 } }),
  amountIn: decimal.optional().meta({ description: 'Amount paid', example: '1000.000000' }),
  amountOut: decimal.optional().describe('Amount received'),
  oracleAt: oracleAt.optional(),
  oracleAmountOut: decimal.optional().meta({
    description: "Value of `amountIn` at the oracles' prices, before all fees",
    example: '651.200000',
  }),
  parts: parts.optional().meta({
    description: 'Parts of the difference between `oracleAmountOut` and `amountOut`',
    example: { priceMove: '0.000000', impact: '0.000000', fee: '0.325600', rounding: '0.000000' },
  }),
  routeFeeRate: routeFeeRate.optional(),
  executedRate: decimal.optional().meta({ description: '`amountOut` per `amountIn`', example: '0.65087440' }),
  oracleRate: decimal.optional().meta({ description: '`oracleAmountOut` per `amountIn`', example: '0.65120000' }),
  slippage: z
    .string()
    .regex(/^-?\d+\.\d{4}%$/)
    .optional()
    .meta({
      description: 'Loss compared with `oracleAmountOut` less `routeFeeRate`. Negative if more was received',
      example: '0.0000%',
    }),
  failure: failure.optional().describe('Why the conversion reverted, if it failed and a replay shows the reason'),
}

const row = z.object(conversionFields)

/** One conversion of a transaction, in its receipt. */
export type ConversionRow = z.output<typeof row>

/**
 * Returns a conversion in the form of a receipt, with the oracles' amount at the prices of a quote or of the execution.
 */
export function toConversionRow(outcome: ConversionOutcome, { tokens, quotedHops }: Terms): ConversionRow {
  return outcome.status === 'failed' ? toFailedRow(outcome, tokens) : toExecutedRow(outcome, { tokens, quotedHops })
}

type Terms = {
  readonly tokens: ReadonlyMap<Address, Token>
  /** The prices of the quote that the conversion executed. */
  readonly quotedHops: PricedRoute.PricedRoute | undefined
}

function toFailedRow({ call, payer, failure }: FailedConversion, tokens: ReadonlyMap<Address, Token>): ConversionRow {
  const [tokenIn, tokenOut] = [tokens.get(call.tokenIn), tokens.get(call.tokenOut)]
  const recipient = call.recipient ?? payer
  return {
    status: 'failed',
    mode: call.mode,
    ...(payer && { payer }),
    ...(recipient && { recipient }),
    ...(tokenIn && { tokenIn: toTokenReference(tokenIn) }),
    ...(tokenOut && { tokenOut: toTokenReference(tokenOut) }),
    ...(failure && { failure: toFailure(failure) }),
  }
}

function toExecutedRow(outcome: ExecutedConversion, { tokens, quotedHops }: Terms): ConversionRow {
  const { mode, payer, recipient, amountInRaw, amountOutRaw } = outcome
  const [tokenIn, tokenOut] = [getToken(tokens, outcome.tokenIn), getToken(tokens, outcome.tokenOut)]
  const [input, output] = [
    { raw: amountInRaw, decimals: tokenIn.decimals },
    { raw: amountOutRaw, decimals: tokenOut.decimals },
  ]
  return {
    status: 'success',
    ...(mode && { mode }),
    payer,
    recipient,
    tokenIn: toTokenReference(tokenIn),
    tokenOut: toTokenReference(tokenOut),
    amountIn: Amount.format(amountInRaw, tokenIn.decimals),
    amountOut: Amount.format(amountOutRaw, tokenOut.decimals),
    executedRate: Rate.format(input, output),
    ...explainOutcome(outcome, { input, output, quotedHops }),
  }
}

type TokenAmounts = Pick<Terms, 'quotedHops'> & {
  readonly input: Rate.TokenAmount
  readonly output: Rate.TokenAmount
}

/** The fields that need the oracles' prices. */
function explainOutcome(
  { prices, mode = 'exact-in' }: ExecutedConversion,
  { input, output, quotedHops }: TokenAmounts,
) {
  const amounts = { amountInRaw: input.raw, amountOutRaw: output.raw }
  const explained = prices && Conversion.explain(prices, { mode, ...amounts })
  // In our own pools, our maths must explain the conversion. Otherwise these are not the prices of its execution.
  const isCertain = explained && (explained.isExact || prices.some(({ pricing }) => pricing === 'on-chain'))
  if (!isCertain) return { oracleAt: 'unavailable' as const }
  const executedRaw = explained.oracleAmountOutRaw
  const oracleRaw = quotedHops ? PricedRoute.valueAtOracles(quotedHops, input.raw) : executedRaw
  const format = (raw: bigint) => Amount.formatSigned(raw, output.decimals)
  return {
    oracleAt: quotedHops ? ('quote' as const) : ('execution' as const),
    oracleAmountOut: format(oracleRaw),
    parts: {
      priceMove: format(executedRaw - oracleRaw),
      impact: format(explained.impactRaw),
      fee: format(explained.feeRaw),
      rounding: format(explained.roundingRaw),
    },
    routeFeeRate: Fee.formatRoute(prices),
    oracleRate: Rate.format(input, { raw: oracleRaw, decimals: output.decimals }),
    slippage: Slippage.format(
      oracleRaw,
      output.raw,
      prices.map(({ epsilon }) => epsilon),
    ),
  }
}

function getToken(tokens: ReadonlyMap<Address, Token>, address: Address): Token {
  const token = tokens.get(address)
  if (token) return token
  throw new Error(`Cannot describe token ${address}: the receipt does not contain it`)
}

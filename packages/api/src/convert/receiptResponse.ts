import type { ConversionOutcome, MinedReceipt } from '@agio/chain'
import { Amount, Timestamp } from '@agio/core'
import { z } from 'zod'
import { fromQuotedHops, type QuoteTerms } from '../quote/QuoteTerms.ts'
import {
  conversionModes,
  decimal,
  hashOut,
  integerText,
  timestamp,
  transactionHashOut,
  wholeNumber,
} from '../schema/fields.ts'
import { minedFields, transactionStatus } from '../transaction/broadcastResult.ts'
import { conversionFields, toConversionRow } from './conversionRow.ts'

const blockExample = '2026-11-21T05:00:00.000Z'

const quoted = z
  .object({
    mode: z.enum(conversionModes).meta({ description: 'The fixed amount', example: 'exact-in' }),
    amountIn: decimal.meta({ description: 'Amount to pay', example: '1000.000000' }),
    amountOut: decimal.describe('Amount to receive'),
    minAmountOut: decimal
      .optional()
      .meta({ description: 'Smallest amount to receive. Only for `exact-in`', example: '650.548962' }),
    maxAmountIn: decimal
      .optional()
      .meta({ description: 'Largest amount to pay. Only for `exact-out`', example: '1000.500000' }),
    expiresAt: timestamp.meta({
      description: 'Time at which the quote expired',
      example: '2026-11-21T05:01:00.000Z',
    }),
    blockNumber: wholeNumber.meta({ description: 'Number of the block of the quote', example: 61 }),
    blockHash: hashOut.meta({ description: 'Hash of that block', example: `0x${'ab'.repeat(32)}` }),
    blockTimestamp: timestamp.meta({ description: 'Time of that block', example: blockExample }),
  })
  .meta({ id: 'ReceiptQuote', description: 'The terms of the quote' })

/** The conversion of a transaction, in a response. */
export const receiptResponse = z
  .object({
    transactionHash: transactionHashOut,
    ...conversionFields,
    status: transactionStatus.meta({
      description: '`pending` until the transaction is mined, then `success`, or `failed` if the conversion reverted',
      example: 'success',
    }),
    ...minedFields,
    blockHash: hashOut.optional().meta({ description: 'Hash of its block', example: `0x${'cd'.repeat(32)}` }),
    blockTimestamp: timestamp.optional().meta({ description: 'Time of its block', example: blockExample }),
    effectiveGasPrice: integerText
      .optional()
      .meta({ description: 'Gas price of the transaction, in wei per unit', example: '1000000000' }),
    gasPaid: decimal.optional().meta({
      description: 'Amount that the sender of the transaction paid for gas and data, in native currency',
      example: '0.000141414000000000',
    }),
    confirmations: wholeNumber
      .optional()
      .meta({ description: 'Number of confirmations, including its own block', example: 1 }),
    clientReference: z.string().optional().meta({ description: 'Reference of the quote', example: 'invoice 2026-117' }),
    quoted: quoted.optional().describe('Terms of the quote of the request'),
    conversions: z
      .array(z.object(conversionFields).meta({ id: 'ReceiptConversion', description: 'One of several conversions' }))
      .min(2)
      .optional()
      .describe(
        'All conversions of the transaction in order, if there are several. The other fields describe the conversion that executed the quote, or the first conversion',
      ),
  })
  .meta({
    id: 'ConversionReceipt',
    description:
      'The paid and received amounts of a conversion, and the parts of the difference from the amount of the oracles',
  })

/** The receipt of a transaction that is not mined yet. */
export function toPendingResponse(transactionHash: string, terms: QuoteTerms | undefined) {
  return { transactionHash, status: 'pending' as const, ...toQuoted(terms) }
}

/** The receipt of a mined transaction. */
export function toMinedResponse(
  transactionHash: string,
  { receipt, block, outcomes, tokens, confirmations }: MinedReceipt,
  { main, terms }: Quoted,
) {
  const quotedHops = terms && fromQuotedHops(terms.hops)
  const toRow = (outcome: ConversionOutcome) =>
    toConversionRow(outcome, { tokens, quotedHops: outcome === main ? quotedHops : undefined })
  const { effectiveGasPrice, feeWei } = receipt
  return {
    transactionHash,
    ...toRow(main),
    blockNumber: Number(block.number),
    blockHash: block.hash,
    blockTimestamp: Timestamp.fromSeconds(block.timestampSeconds),
    gasUsed: receipt.gasUsed.toString(),
    ...(effectiveGasPrice !== undefined && { effectiveGasPrice: effectiveGasPrice.toString() }),
    ...(feeWei !== undefined && { gasPaid: Amount.format(feeWei, 18) }),
    confirmations: Number(confirmations),
    ...toQuoted(terms),
    ...(outcomes.length > 1 && { conversions: outcomes.map(toRow) }),
  }
}

type Quoted = {
  /** The conversion of the receipt: the conversion that executed the quote, or the first conversion. */
  readonly main: ConversionOutcome
  /** The quote of the request. */
  readonly terms: QuoteTerms | undefined
}

function toQuoted(terms: QuoteTerms | undefined) {
  if (!terms) return {}
  const { mode, clientReference, block } = terms
  const formatIn = (raw: string) => Amount.format(BigInt(raw), terms.hops[0].decimalsIn)
  const formatOut = (raw: string) => Amount.format(BigInt(raw), (terms.hops.at(-1) ?? terms.hops[0]).decimalsOut)
  return {
    ...(clientReference !== null && { clientReference }),
    quoted: {
      mode,
      amountIn: formatIn(terms.amountIn),
      amountOut: formatOut(terms.amountOut),
      ...(mode === 'exact-in' ? { minAmountOut: formatOut(terms.limit) } : { maxAmountIn: formatIn(terms.limit) }),
      expiresAt: Timestamp.fromSeconds(BigInt(terms.expiresAt)),
      blockNumber: block.number,
      blockHash: block.hash,
      blockTimestamp: Timestamp.fromSeconds(BigInt(block.timestamp)),
    },
  }
}

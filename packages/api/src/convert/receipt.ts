import { Errors, Network, Amount } from '@agio/core'
import { z } from 'zod'
import type { ConversionOutcome, ExecutedConversion, FailedConversion, MinedReceipt } from '@agio/chain'
import type { QuoteTerms } from '../quote/QuoteTerms.ts'
import { chainId, transactionHash, quoteText } from '../schema/fields.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { receiptResponse, toMinedResponse, toPendingResponse } from './receiptResponse.ts'

const inputSchema = z.strictObject({
  transactionHash,
  chainId: chainId
    .optional()
    .describe(`Chain id of the network. Default: the chain of the quote, or ${Network.defaultChainId} without a quote`),
  quote: quoteText
    .optional()
    .describe('The quote that the transaction executed, even if it has expired. The receipt compares both'),
})

/** Explains a mined conversion. */
export const receipt = procedure
  .meta({
    scope: 'read',
    openapi: rest('POST /api/v1/convert/receipt', 'Convert', {
      operationId: 'getConversionReceipt',
      summary: 'Get the receipt of a conversion',
      description:
        "Returns the amounts that a conversion paid and received, and the parts of the difference from the oracles' amount, exact to the last unit. It works for any mined transaction that converted through the router or a pool, regardless of who sent it. Waits up to a second for a node to know the transaction. The status is `pending` until the transaction is mined.",
    }),
    errors: [
      'svc/transaction-not-found',
      'svc/not-a-conversion',
      'svc/quote-invalid',
      'svc/quote-not-yours',
      'svc/quote-mismatch',
    ],
  })
  .input(inputSchema)
  .output(receiptResponse)
  .query(async ({ ctx, input }) => {
    const terms = input.quote === undefined ? undefined : await ctx.quotes.verify(input.quote, { keyId: ctx.keyId })
    const chain = getChain(ctx, resolveChainId(input.chainId, terms))
    const found = await chain.transactions.readConversionReceipt(input.transactionHash)
    if (found.status === 'pending') return toPendingResponse(input.transactionHash, terms)
    const main = terms ? findQuoted(found, terms) : found.outcomes[0]
    if (terms && input.quote !== undefined && main.status === 'success') {
      ctx.quotes.observeMined(input.quote, terms, main)
    }
    return toMinedResponse(input.transactionHash, found, { main, terms })
  })

/** Asserts that the request and its quote have the same chain. @throws `svc/quote-mismatch` */
function resolveChainId(requested: Network.ChainId | undefined, terms: QuoteTerms | undefined): Network.ChainId {
  if (!terms) return requested ?? Network.defaultChainId
  if (requested === undefined || requested === terms.chainId) return terms.chainId
  throw Errors.quoteMismatch({ field: 'chainId', expected: terms.chainId.toString(), actual: requested.toString() })
}

/**
 * Finds the conversion of a transaction that executed a quote, or tried to.
 *
 * @throws `svc/quote-mismatch` if the transaction has no such conversion. The error contains the first field that differs, in
 * a conversion of the same tokens if one exists
 */
function findQuoted({ outcomes, block }: MinedReceipt, terms: QuoteTerms): ConversionOutcome {
  if (block.number < BigInt(terms.block.number)) {
    throw Errors.quoteMismatch({
      field: 'blockNumber',
      expected: `${terms.block.number} or later`,
      actual: block.number.toString(),
    })
  }
  const compared = outcomes.map((outcome) => ({ outcome, mismatch: findMismatch(outcome, terms) }))
  const match = compared.find(({ mismatch }) => mismatch === undefined)
  if (match) return match.outcome
  const mismatches = compared.flatMap(({ mismatch }) => mismatch ?? [])
  const mismatch = mismatches.find(({ field }) => field !== 'tokenIn' && field !== 'tokenOut') ?? mismatches[0]
  throw Errors.quoteMismatch({
    field: mismatch?.field ?? '',
    expected: mismatch?.expected ?? '',
    actual: mismatch?.actual ?? '',
  })
}

/** A field with its value in the quote and its value in the transaction. */
type ComparedField = {
  readonly field: string
  readonly expected: string
  readonly actual: string
  readonly isMet: boolean
}

function findMismatch(outcome: ConversionOutcome, terms: QuoteTerms): ComparedField | undefined {
  const fields = outcome.status === 'failed' ? listCalled(outcome, terms) : listExecuted(outcome, terms)
  return fields.find(({ isMet }) => !isMet)
}

function listExecuted(conversion: ExecutedConversion, terms: QuoteTerms): readonly ComparedField[] {
  const { mode, payer, recipient } = conversion
  return [
    ...listCommon(conversion, terms),
    toField('mode', executedMode(terms), mode ?? executedMode(terms)),
    ...listAmounts(conversion, terms),
    toField('userAddress', terms.userAddress ?? payer, payer),
    toField('recipient', terms.recipient ?? payer, recipient),
  ]
}

/** Lists the paid and received amounts with the limit of the quote. */
function listAmounts({ amountInRaw, amountOutRaw }: ExecutedConversion, terms: QuoteTerms): readonly ComparedField[] {
  const { toIn, toOut } = createAmountFields(terms)
  const { amountIn, amountOut, limit } = terms
  if (terms.execution === 'target-swap') {
    return [
      toOut('amountOut', amountOut, amountOutRaw),
      { ...toIn('maxAmountIn', limit, amountInRaw), isMet: amountInRaw <= BigInt(limit) },
    ]
  }
  const minAmountOut = terms.mode === 'exact-in' ? limit : amountOut
  return [
    toIn('amountIn', amountIn, amountInRaw),
    { ...toOut('minAmountOut', minAmountOut, amountOutRaw), isMet: amountOutRaw >= BigInt(minAmountOut) },
  ]
}

function listCalled({ call, payer }: FailedConversion, terms: QuoteTerms): readonly ComparedField[] {
  const parties = payer && [
    toField('userAddress', terms.userAddress ?? payer, payer),
    toField('recipient', terms.recipient ?? payer, call.recipient ?? payer),
  ]
  return [
    ...listCommon(call, terms),
    toField('mode', executedMode(terms), call.mode),
    ...listCalledAmounts(call, terms),
    ...(parties ?? []),
  ]
}

function listCalledAmounts(call: FailedConversion['call'], terms: QuoteTerms): readonly ComparedField[] {
  const { toIn, toOut } = createAmountFields(terms)
  const { amountIn, amountOut, limit } = terms
  if (call.mode === 'exact-out') {
    return [toOut('amountOut', amountOut, call.amountOutRaw), toIn('maxAmountIn', limit, call.maxAmountInRaw)]
  }
  const minAmountOut = terms.mode === 'exact-in' ? limit : amountOut
  return [toIn('amountIn', amountIn, call.amountInRaw), toOut('minAmountOut', minAmountOut, call.minAmountOutRaw)]
}

type Common = { readonly tokenIn: string; readonly tokenOut: string; readonly to: string }

function listCommon({ tokenIn, tokenOut, to }: Common, terms: QuoteTerms): readonly ComparedField[] {
  return [
    toField('tokenIn', terms.tokenIn, tokenIn),
    toField('tokenOut', terms.tokenOut, tokenOut),
    toField('to', terms.to, to),
  ]
}

function executedMode({ execution }: QuoteTerms): 'exact-in' | 'exact-out' {
  return execution === 'target-swap' ? 'exact-out' : 'exact-in'
}

function toField(field: string, expected: string, actual: string): ComparedField {
  return { field, expected, actual, isMet: expected === actual }
}

function createAmountFields({ hops }: QuoteTerms) {
  const { decimalsIn } = hops[0]
  const { decimalsOut } = hops.at(-1) ?? hops[0]
  const create = (decimals: number) => (field: string, expected: string, actual: bigint) =>
    toField(field, Amount.format(BigInt(expected), decimals), Amount.format(actual, decimals))
  return { toIn: create(decimalsIn), toOut: create(decimalsOut) }
}

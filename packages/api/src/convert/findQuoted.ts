import type { ConversionOutcome, ExecutedConversion, FailedConversion, MinedReceipt } from '@agio/chain'
import { Amount, Errors } from '@agio/core'
import type { QuoteTerms } from '../quote/QuoteTerms.ts'

/**
 * Finds the conversion of a transaction that executed a quote, or tried to.
 *
 * @throws `svc/quote-mismatch` if the transaction has no such conversion. The error contains the first field that differs, in
 * a conversion of the same tokens if one exists
 */
export function findQuoted({ outcomes, block }: MinedReceipt, terms: QuoteTerms): ConversionOutcome {
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

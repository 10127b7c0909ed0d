import type { Chain } from '@agio/chain'
import { Amount, Errors, ServiceError } from '@agio/core'
import { parseTransaction, type Hex } from 'viem'
import { type QuoteTerms, assertNotExpired } from '../quote/QuoteTerms.ts'
import { toQuoteDigest } from '../quote/createQuoteSigner.ts'

type Signed = Awaited<ReturnType<Chain['transactions']['decodeSigned']>>

type Call = NonNullable<ReturnType<Chain['conversions']['decodeCall']>>

/**
 * Asserts that a signed transaction executes a quote. The quoted contract must convert the quoted tokens and amounts
 * within the limit of the quote, for its recipient, before its expiry. A Permit2 signature must be for this quote.
 *
 * @param call the conversion of the transaction; undefined if the transaction is not a conversion
 * @throws `svc/quote-mismatch` with the first field that differs and both values
 */
export function assertQuoted({ terms, quote }: Quote, signed: Signed, call: Call | undefined): void {
  const { from, to = 'no contract' } = signed
  assertSame('userAddress', terms.userAddress ?? from, from)
  assertSame('to', terms.to, to)
  assertSame('value', '0', signed.valueWei.toString())
  if (!call)
    throw Errors.quoteMismatch({
      field: 'data',
      expected: 'the call of the quote',
      actual: `${signed.data.slice(0, 10)}…`,
    })
  assertSame('mode', terms.execution === 'target-swap' ? 'exact-out' : 'exact-in', call.mode)
  assertSame('tokenIn', terms.tokenIn, call.tokenIn)
  assertSame('tokenOut', terms.tokenOut, call.tokenOut)
  assertSame('recipient', terms.recipient ?? from, call.recipient ?? from)
  assertSameAmounts(terms, call)
  const deadline = call.deadlineSeconds.toString()
  if (call.deadlineSeconds > BigInt(terms.expiresAt)) {
    throw Errors.quoteMismatch({ field: 'deadline', expected: terms.expiresAt.toString(), actual: deadline })
  }
  if (call.permit?.kind === 'permit2') assertSame('quoteDigest', toQuoteDigest(quote), call.permit.quoteDigest)
}

type Quote = {
  readonly terms: QuoteTerms
  /** The text of the quote. */
  readonly quote: string
}

function assertSameAmounts({ mode, hops, ...terms }: QuoteTerms, call: Call): void {
  const [decimalsIn, decimalsOut] = [hops[0]?.decimalsIn ?? 0, hops.at(-1)?.decimalsOut ?? 0]
  const assertSameRaw = (field: string, decimals: number, [expected, actual]: readonly [string, bigint]) =>
    assertSame(field, Amount.format(BigInt(expected), decimals), Amount.format(actual, decimals))
  if (call.mode === 'exact-out') {
    assertSameRaw('amountOut', decimalsOut, [terms.amountOut, call.amountOutRaw])
    assertSameRaw('maxAmountIn', decimalsIn, [terms.limit, call.maxAmountInRaw])
    return
  }
  assertSameRaw('amountIn', decimalsIn, [terms.amountIn, call.amountInRaw])
  const [field, least] = mode === 'exact-in' ? ['minAmountOut', terms.limit] : ['amountOut', terms.amountOut]
  assertSameRaw(field ?? '', decimalsOut, [least ?? '', call.minAmountOutRaw])
}

function assertSame(field: string, expected: string, actual: string): void {
  if (expected !== actual) throw Errors.quoteMismatch({ field, expected, actual })
}

/**
 * Decodes a signed transaction that executes a quote.
 *
 * @throws `svc/invalid-transaction`; `svc/quote-mismatch` if the transaction is for another chain or differs from the
 * quote
 */
export async function decodeQuoted(
  chain: Chain,
  quoted: Quote,
  signedTransaction: Hex,
): Promise<Awaited<ReturnType<Chain['transactions']['decodeSigned']>>> {
  const signed = await chain.transactions.decodeSigned(signedTransaction).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'svc/wrong-chain') throw error
    const { chainId: actual } = parseTransaction(signedTransaction)
    throw Errors.quoteMismatch({ field: 'chainId', expected: String(quoted.terms.chainId), actual: String(actual) })
  })
  const call = chain.conversions.decodeCall(signed)
  assertQuoted(quoted, signed, call)
  const { referenceToken } = chain.deployment
  if (call?.quoteToken !== undefined && call.quoteToken !== referenceToken) {
    throw Errors.quoteMismatch({ field: 'quoteToken', expected: referenceToken, actual: call.quoteToken })
  }
  return signed
}

/**
 * Asserts that the transaction of a quote may be sent. Either the quote has not expired, or a node already knows the
 * transaction, so that a repeated broadcast returns the result of the first.
 *
 * @throws `svc/quote-expired`
 */
export async function assertSendable(
  chain: Chain,
  { hash }: Pick<Awaited<ReturnType<Chain['transactions']['decodeSigned']>>, 'hash'>,
  { terms, nowMs }: { readonly terms: QuoteTerms; readonly nowMs: number },
): Promise<void> {
  const { block } = await chain.pools.getSnapshot()
  try {
    assertNotExpired(terms, { headSeconds: block.timestampSeconds, nowMs })
  } catch (expired) {
    await chain.transactions.readStatus(hash).catch((error: unknown) => {
      throw error instanceof ServiceError && error.code === 'svc/transaction-not-found' ? expired : error
    })
  }
}

import type { Chain } from '@agio/chain'
import { Errors, ServiceError } from '@agio/core'
import { parseTransaction, type Hex } from 'viem'
import { assertQuoted } from './assertQuoted.ts'

/**
 * Decodes a signed transaction that executes a quote.
 *
 * @throws `svc/invalid-transaction`; `svc/quote-mismatch` if the transaction is for another chain or differs from the
 * quote
 */
export async function decodeQuoted(chain: Chain, quoted: assertQuoted.Quote, signedTransaction: Hex) {
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

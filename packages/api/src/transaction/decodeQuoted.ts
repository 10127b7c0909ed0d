import type { Chain } from '@agio/chain'
import { ServiceError } from '@agio/core'
import { parseTransaction, type Hex } from 'viem'
import { quoteMismatch } from '../quote/quoteMismatch.ts'
import { assertQuoted } from './assertQuoted.ts'

/**
 * Decodes a signed transaction that executes a quote.
 *
 * @throws `svc/invalid-transaction`; `svc/quote-mismatch` if it is for another chain or is not what was quoted
 */
export async function decodeQuoted(chain: Chain, quoted: assertQuoted.Quote, signedTransaction: Hex) {
  const signed = await chain.decodeSigned(signedTransaction).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'svc/wrong-chain') throw error
    const { chainId: actual } = parseTransaction(signedTransaction)
    throw quoteMismatch('chainId', { expected: String(quoted.terms.chainId), actual: String(actual) })
  })
  const call = chain.decodeConversionCall(signed)
  assertQuoted(quoted, signed, call)
  const { referenceToken } = chain.deployment
  if (call?.quoteToken !== undefined && call.quoteToken !== referenceToken) {
    throw quoteMismatch('quoteToken', { expected: referenceToken, actual: call.quoteToken })
  }
  return signed
}

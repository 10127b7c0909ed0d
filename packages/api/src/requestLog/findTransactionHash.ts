import { isObject } from '@agio/core'
import { isHex, keccak256 } from 'viem'

/**
 * Returns the hash of the transaction that a call names or sends, in lower case. The hash of a signed transaction identifies a
 * broadcast that was refused, too.
 */
export function findTransactionHash(input: unknown): string | undefined {
  if (!isObject(input)) return undefined
  const { transactionHash, signedTransaction } = input
  if (typeof transactionHash === 'string' && /^0x[0-9a-fA-F]{64}$/.test(transactionHash))
    return transactionHash.toLowerCase()
  return isHex(signedTransaction) && signedTransaction.length % 2 === 0 ? keccak256(signedTransaction) : undefined
}

/** Returns the code of the failure of the transaction in a response; undefined if it did not fail. */
export function findFailureCode(body: string | undefined): string | undefined {
  const { data, result } = JSON.parse(body ?? '{}') as Responded
  const code = (data ?? result?.data)?.failure?.code
  return typeof code === 'string' ? code : undefined
}

type Responded = { readonly data?: Data; readonly result?: { readonly data?: Data } }

type Data = { readonly failure?: { readonly code?: unknown } }

import type { Address, Token } from '@agio/core'
import { getAddress, type Hex } from 'viem'
import { parseConversionCall } from '../call/parseConversionCall.ts'
import type { toRevertError } from '../revert/toRevertError.ts'

/**
 * Returns the sender and receiver of a transaction, and the tokens and amounts of a conversion by a router or a pool.
 * They explain the revert of the transaction.
 *
 * @param tokens the deployment's tokens, for the decimals of the amounts
 */
export function findConversion(
  { from, to, data }: findConversion.Transaction,
  tokens: ReadonlyMap<Address, Token>,
): toRevertError.Conversion {
  const parties = { from: getAddress(from), to: to ? getAddress(to) : undefined }
  const call = parseConversionCall(data)
  if (call === undefined) return parties
  const { tokenIn, tokenOut, ...terms } = call
  return { ...terms, ...parties, tokenIn: tokens.get(tokenIn), tokenOut: tokens.get(tokenOut) }
}

export declare namespace findConversion {
  type Transaction = { readonly from: Hex; readonly to?: Hex | null | undefined; readonly data: Hex }
}

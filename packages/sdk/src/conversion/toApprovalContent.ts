import type { AgioQuoteData } from '../quote/AgioQuote.ts'
import * as Decimal from '../quote/Decimal.ts'
import type { PendingRequest } from './ConversionState.ts'

/** Returns the fields of the steps of an approval. */
export function toApprovalContent(
  { tokenIn, spender }: AgioQuoteData,
  { kind, data }: Pick<PendingRequest, 'kind' | 'data'>,
) {
  const purpose = kind === 'reset' ? kind : 'approve'
  const amount = Decimal.format(BigInt(`0x${data.slice(-64)}`), tokenIn.decimals)
  return { kind: 'approve', purpose, token: tokenIn, spender, amount } as const
}

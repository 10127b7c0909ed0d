import { toExpectedSwap } from '../check/ExpectedConversion.ts'
import { readCalldata, type CalldataField } from '../check/readCalldata.ts'
import type { BlockTransaction } from '../wallet/WalletSession.ts'
import type { ConversionState } from './ConversionState.ts'

/**
 * Whether a transaction is the conversion of a state, or of a later state of the same conversion: of the same tokens, amount and
 * recipient, by any way to pay.
 *
 * @param isExpired whether the quote of the state is over, so that another one may have taken its place, with a later deadline
 */
export function isSameConversion(
  { quote, account }: Pick<ConversionState, 'quote' | 'account'>,
  { isExpired }: { readonly isExpired: boolean },
): (transaction: BlockTransaction) => boolean {
  const { capRaw, leastRaw, recipient, deadlineSeconds } = toExpectedSwap({ quote, account })
  const wanted = new Map<CalldataField, bigint>([
    ['tokenIn', BigInt(quote.tokenIn.address)],
    ['tokenOut', BigInt(quote.tokenOut.address)],
    ['amountIn', capRaw],
    ['amountOut', leastRaw],
    ['recipient', BigInt(recipient)],
  ])
  const isDeadline = (deadline: bigint) => deadline === deadlineSeconds || (isExpired && deadline > deadlineSeconds)

  return ({ to, input }) => {
    const call = to === quote.spender.toLowerCase() ? readCalldata(input) : undefined
    if (!call) return false
    return call.fields.every(([field, value]) => {
      if (field === 'deadline') return isDeadline(value)
      return !wanted.has(field) || wanted.get(field) === value
    })
  }
}

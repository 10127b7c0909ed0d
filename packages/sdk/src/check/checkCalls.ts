import type { WalletCall } from '../api/schemas.ts'
import { checkApproval } from './checkApproval.ts'
import { checkTransaction } from './checkTransaction.ts'
import { getMaxAmountInRaw, type ExpectedConversion } from './ExpectedConversion.ts'
import { mismatch } from './mismatch.ts'

/**
 * Asserts that a batch has the conversion of a quote as its last call. One approval of its input may come before it,
 * and one reset before the approval.
 *
 * @throws `convert/mismatch` with the first field that differs
 */
export function checkCalls(expected: ExpectedConversion, calls: readonly WalletCall[]): void {
  const [reset, approval, conversion] = [calls.at(-3), calls.at(-2), calls.at(-1)]
  if (conversion === undefined || calls.length > 3) {
    throw mismatch('calls', { expected: 'one to three calls', actual: `${calls.length}` })
  }
  checkTransaction(expected, conversion)
  const { quote } = expected
  const common = { token: quote.tokenIn.address, spender: quote.spender }
  if (approval) checkApproval({ ...common, amountRaw: getMaxAmountInRaw(quote) }, approval)
  if (reset) checkApproval({ ...common, amountRaw: 0n }, reset)
}

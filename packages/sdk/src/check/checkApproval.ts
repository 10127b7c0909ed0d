import { checkEnvelope, type CheckedTransaction } from './checkTransaction.ts'
import { mismatch } from './mismatch.ts'

/**
 * Asserts that a transaction approves exactly one amount of a token for a spender.
 *
 * @throws `convert/mismatch` with the first field that differs
 */
export function checkApproval(expected: ExpectedApproval, transaction: CheckedTransaction): void {
  const { token, account, chainId, spender, amountRaw, unlimited: isUnlimited = false } = expected
  checkEnvelope({ to: token, account, chainId }, transaction)
  const [, spenderWord, amountWord] = pattern.exec(transaction.data) ?? []
  if (spenderWord === undefined || amountWord === undefined) {
    throw mismatch('data', { expected: 'an approval', actual: transaction.data.slice(0, 10) })
  }
  assertWord('spender', BigInt(spender), spenderWord)
  assertWord('amount', isUnlimited ? maxUint256 : amountRaw, amountWord)
}

/** An approval that a conversion needs. */
export type ExpectedApproval = {
  readonly token: string
  readonly spender: string
  /** Raw units; zero for a reset. */
  readonly amountRaw: bigint
  /** Whether the approval has no limit. */
  readonly unlimited?: boolean | undefined
  /** The account that sends it. */
  readonly account?: string | undefined
  readonly chainId?: number | undefined
}

// `approve(address,uint256)` of ERC-20.
const pattern = /^0x095ea7b3([0-9a-f]{64})([0-9a-f]{64})$/i

const maxUint256 = 2n ** 256n - 1n

function assertWord(field: 'spender' | 'amount', expected: bigint, word: string): void {
  const actual = BigInt(`0x${word}`)
  if (actual === expected) return
  const show = (value: bigint) => (field === 'amount' ? `${value}` : `0x${value.toString(16).padStart(40, '0')}`)
  throw mismatch(field, { expected: show(expected), actual: show(actual) })
}

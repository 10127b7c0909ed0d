import { checkEnvelope, type CheckedTransaction } from './checkTransaction.ts'
import { assertEqual, mismatch, show } from './mismatch.ts'

/** `speed-up` sends the same call again. `cancel` sends an empty transfer to the sender. */
export type ReplacementKind = 'speed-up' | 'cancel'

/**
 * Asserts that a transaction has the sender and the nonce of a pending transaction, and is either the same call or an
 * empty transfer to the sender.
 *
 * @throws `convert/mismatch` with the first field that differs
 */
export function checkReplacement(
  { kind, chainId, pending, call }: checkReplacement.Expected,
  transaction: CheckedTransaction & { readonly nonce: string },
): void {
  const { from, nonce } = pending
  assertEqual('from', from, transaction.from)
  assertEqual('chainId', String(chainId), Number(transaction.chainId))
  assertEqual('nonce', String(nonce), Number(transaction.nonce))
  if (kind === 'cancel') {
    checkEnvelope({ to: from }, transaction)
    return assertEqual('data', '0x', transaction.data)
  }
  assertEqual('to', pending.to ?? 'none', transaction.to)
  assertEqual('data', pending.input, transaction.data)
  assertValue(pending.valueWei, transaction.value)
  if (!call) return
  checkEnvelope({ to: call.to }, transaction)
  assertEqual('data', call.data, transaction.data)
}

export declare namespace checkReplacement {
  type Expected = {
    readonly kind: ReplacementKind
    readonly chainId: number
    /** The pending transaction, read from the node of the wallet. */
    readonly pending: Pending
    /** The call that the wallet was asked to send, without native currency. */
    readonly call?: Call | undefined
  }
  type Call = { readonly to: string; readonly data: string }
  type Pending = {
    readonly from: string
    readonly nonce: number
    readonly to?: string | undefined
    readonly input: string
    /** Undefined if the node does not return it. */
    readonly valueWei?: bigint | undefined
  }
}

function assertValue(expected: bigint | undefined, actual: string): void {
  if (expected !== undefined && /^(?:0x[0-9a-f]+|\d+)$/i.test(actual) && BigInt(actual) === expected) return
  throw mismatch('value', { expected: expected === undefined ? 'unknown' : `${expected}`, actual: show(actual) })
}

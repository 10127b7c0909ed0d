import type { Address } from '@agio/core'
import { encodeApproval } from '../call/encodeApproval.ts'
import { measureCalls } from '../gas/measureCalls.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { simulateCall } from './simulateCall.ts'

/**
 * Returns whether an owner must approve zero before another amount, as tokens like USDT demand. This is so if the token
 * reverts the approval now, and accepts it after an approval of zero. Without an allowance that is too small, no
 * request is made.
 *
 * @throws `svc/upstream-*`
 */
export async function needsReset(
  rpc: Pick<Rpc, 'client' | 'read'>,
  { token, owner, spender, amountRaw, allowanceRaw }: needsReset.Request,
): Promise<boolean> {
  if (allowanceRaw === 0n || allowanceRaw >= amountRaw) return false
  const approve = (amount: bigint) => encodeApproval(spender, amount)
  const call = { from: owner, to: token }
  if ((await simulateCall(rpc, { ...call, data: approve(amountRaw) })) === undefined) return false
  const calls = [0n, amountRaw].map((amount) => ({ to: token, data: approve(amount) }))
  try {
    return (await measureCalls(rpc, { from: owner, calls })).revert === undefined
  } catch {
    // Without state overrides, two calls cannot be made in sequence.
    return (await simulateCall(rpc, { ...call, data: approve(0n) })) === undefined
  }
}

export declare namespace needsReset {
  type Request = {
    readonly token: Address
    readonly owner: Address
    readonly spender: Address
    /** The allowance to set, raw units. */
    readonly amountRaw: bigint
    /** The current allowance, raw units. */
    readonly allowanceRaw: bigint
  }
}

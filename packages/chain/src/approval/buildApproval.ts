import type { Address } from '@agio/core'
import type { Hex } from 'viem'
import { encodeApproval } from '../call/encodeApproval.ts'
import { estimateGas, withMargin } from '../gas/estimateGas.ts'
import { toCallError } from '../revert/toRevertError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { measureCalls } from '../gas/measureCalls.ts'
import { simulateCall } from '../permit/simulateCall.ts'

// The request does not name the owner, so the estimate uses this account, which most likely has approved nothing.
const presumedOwner = '0x00000000000000000000000000000000a610a610'

/**
 * Builds an `approve` call. Its gas is estimated for an account that has approved nothing yet, which costs the most.
 *
 * A revocation is estimated as the approval of one raw unit, so that the estimate covers an owner with an allowance.
 */
export async function buildApproval(
  rpc: Rpc,
  { token, spender, amountRaw }: buildApproval.Options,
): Promise<BuiltApproval> {
  const estimated = encodeApproval(spender, amountRaw === 0n ? 1n : amountRaw)
  const transaction = { from: presumedOwner, to: token, data: estimated } as const
  const gas = await estimateGas(rpc, [transaction]).catch((error: unknown) => {
    throw toCallError(error, { token })
  })
  return { to: token, data: encodeApproval(spender, amountRaw), gasLimit: withMargin(gas) }
}

export declare namespace buildApproval {
  type Options = {
    readonly token: Address
    readonly spender: Address
    /** Raw units; zero revokes. */
    readonly amountRaw: bigint
  }
}

/** An unsigned approval with its gas limit. */
export type BuiltApproval = { readonly to: Address; readonly data: Hex; readonly gasLimit: bigint }

/**
 * Returns whether an owner must approve zero before another amount, as tokens like USDT demand. Such a token reverts the
 * approval now, and accepts it after an approval of zero. Sends no request if the allowance is zero or large enough.
 *
 * @throws `svc/upstream-*`
 */
export async function needsReset(
  rpc: Pick<Rpc, 'client' | 'read'>,
  { token, owner, spender, amountRaw, allowanceRaw }: needsReset.Options,
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
  type Options = {
    readonly token: Address
    readonly owner: Address
    readonly spender: Address
    /** The allowance to set, raw units. */
    readonly amountRaw: bigint
    readonly allowanceRaw: bigint
  }
}

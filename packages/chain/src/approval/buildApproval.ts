import type { Address } from '@agio/core'
import type { Hex } from 'viem'
import { encodeApproval } from '../call/encodeApproval.ts'
import { withMargin } from '../gas/withMargin.ts'
import { toCallError } from '../revert/toCallError.ts'
import type { Rpc } from '../selection/createRpc.ts'

// The request does not name the owner. This account is not zero, and most likely has approved nothing.
const owner = '0x00000000000000000000000000000000a610a610'

/**
 * Builds an `approve` call. Its gas is estimated for an account that has approved nothing yet, which costs the most.
 *
 * A revocation is estimated as the approval of one raw unit, so that the estimate covers an owner with an allowance.
 */
export async function buildApproval(
  rpc: Rpc,
  { token, spender, amountRaw }: buildApproval.Request,
): Promise<BuiltApproval> {
  const estimated = encodeApproval(spender, amountRaw === 0n ? 1n : amountRaw)
  const gas = await rpc.client
    .request({ method: 'eth_estimateGas', params: [{ from: owner, to: token, data: estimated }] })
    .then(BigInt)
    .catch((error: unknown) => {
      throw toCallError(error)
    })
  return { to: token, data: encodeApproval(spender, amountRaw), gasLimit: withMargin(gas) }
}

export declare namespace buildApproval {
  type Request = {
    readonly token: Address
    readonly spender: Address
    /** Raw units; zero revokes. */
    readonly amountRaw: bigint
  }
}

export type BuiltApproval = { readonly to: Address; readonly data: Hex; readonly gasLimit: bigint }

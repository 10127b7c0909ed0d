import type { Address } from '@agio/core'
import { BaseError, numberToHex, type Hex } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import { measureCalls } from '../gas/measureCalls.ts'
import type { Rpc } from '../selection/createRpc.ts'

/**
 * Makes a call at the newest block that may change state, and drops what it changes. It has 1,000,000 gas.
 *
 * The sender may be a contract. Nodes that refuse calls from contracts run it by the code of GasMeter, placed at the sender.
 *
 * @returns what it reverts with; undefined if it succeeds
 * @throws `svc/upstream-*`, also if the node refuses both
 */
export async function simulateCall(
  rpc: Pick<Rpc, 'client' | 'read'>,
  { from, to, data }: simulateCall.Request,
): Promise<Hex | undefined> {
  try {
    await rpc.client.request({ method: 'eth_call', params: [{ from, to, data, gas: numberToHex(gas) }, 'latest'] })
    return undefined
  } catch (error) {
    const revert = findRevert(error)
    if (revert !== undefined) return revert
    if (!isRefusal(error)) return rethrowUpstream(error)
    const measured = await measureCalls(rpc, { from, calls: [{ to, data }], maxGas: gas }).catch(() =>
      rethrowUpstream(error),
    )
    return findRevertData(measured.revert)
  }
}

// A call may run the code of any account that signs (ERC-1271): without a bound it holds up some nodes for many seconds. A signature
// of P-256, verified without a precompile, needs a third of this.
const gas = 1_000_000n

export declare namespace simulateCall {
  type Request = { readonly from: Address; readonly to: Address; readonly data: Hex }
}

/** What a call reverts with, also one that ends without revert data, as for lack of gas; undefined for any other error. */
function findRevert(error: unknown): Hex | undefined {
  const data = findRevertData(error)
  if (data !== undefined) return data
  return classifyError(error, 'eth_call').isCallError && !isAboutSender(error) ? '0x' : undefined
}

/** Whether a node answers that it does not make such a call. */
function isRefusal(error: unknown): boolean {
  return classifyError(error, 'eth_call').isAnswer
}

// "sender not an eoa", "sender has deployed code" (EIP-3607).
function isAboutSender(error: unknown): boolean {
  return error instanceof BaseError && /\bsenders?\b|\beoa\b/i.test(error.details)
}

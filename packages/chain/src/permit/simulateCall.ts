import type { Address } from '@agio/core'
import { BaseError, numberToHex, type Hex } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import { measureCalls } from '../gas/measureCalls.ts'
import type { Rpc } from '../selection/createRpc.ts'

/**
 * Simulates a call with 1,000,000 gas at the newest block. The changes of the call to the state are dropped.
 *
 * The sender may be a contract. If a node refuses calls from contracts, the code of GasMeter is placed at the sender
 * and makes the call.
 *
 * @returns the revert data; undefined if the call succeeds
 * @throws `svc/upstream-*`, also if the node refuses both ways
 */
export async function simulateCall(
  rpc: Pick<Rpc, 'client' | 'read'>,
  { from, to, data }: { readonly from: Address; readonly to: Address; readonly data: Hex },
): Promise<Hex | undefined> {
  try {
    await rpc.client.request({ method: 'eth_call', params: [{ from, to, data, gas: numberToHex(gas) }, 'latest'] })
    return undefined
  } catch (error) {
    const revert = findRevert(error)
    if (revert !== undefined) return revert
    // A node that answers refuses to make such a call.
    if (!classifyError(error, 'eth_call').isAnswer) return rethrowUpstream(error)
    const measured = await measureCalls(rpc, { from, calls: [{ to, data }], maxGas: gas }).catch(() =>
      rethrowUpstream(error),
    )
    return findRevertData(measured.revert)
  }
}

// A call may run the code of any account that signs (ERC-1271). Without a bound, this code occupies some nodes for many
// seconds. A P-256 signature, verified without a precompile, needs a third of this gas.
const gas = 1_000_000n

/**
 * Returns the revert data of a failed call: `0x` if the call failed without data, for example for lack of gas. Returns
 * undefined for any other error.
 */
function findRevert(error: unknown): Hex | undefined {
  const data = findRevertData(error)
  if (data !== undefined) return data
  return classifyError(error, 'eth_call').isCallError && !isAboutSender(error) ? '0x' : undefined
}

// "sender not an eoa", "sender has deployed code" (EIP-3607).
function isAboutSender(error: unknown): boolean {
  return error instanceof BaseError && /\bsenders?\b|\beoa\b/i.test(error.details)
}

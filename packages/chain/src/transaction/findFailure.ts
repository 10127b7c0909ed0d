import type { Hex } from 'viem'
import { decodeRevert, type Revert } from '../revert/decodeRevert.ts'
import { findRevertData } from '../revert/findRevertData.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Rpc } from '../rpc/createRpc.ts'

/** Why a mined transaction reverted. */
export type Failure = { readonly code: string; readonly message: string; readonly revert: Revert }

/**
 * Finds out why a mined transaction failed by running it again on the state at the end of its own block; undefined if it
 * does not revert there, for instance because it ran out of gas.
 */
export async function findFailure({ reads }: Rpc, hash: Hex, blockHash: Hex): Promise<Failure | undefined> {
  const transaction = await reads.request({ method: 'eth_getTransactionByHash', params: [hash] }).catch(() => null)
  if (!transaction) return undefined
  const { from, to, input, value } = transaction
  try {
    await reads.request({ method: 'eth_call', params: [{ from, to, data: input, value }, { blockHash }] })
    return undefined
  } catch (error) {
    const data = findRevertData(error)
    if (data === undefined) return undefined
    const revert = decodeRevert(data)
    const { code, message } = toRevertError(revert)
    return { code, message, revert }
  }
}

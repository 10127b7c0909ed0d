import { type Address, type Token } from '@agio/core'
import { decodeFunctionData, type Hex } from 'viem'
import { routerAbi } from '../abi/index.ts'
import { decodeRevert, type Revert } from '../revert/decodeRevert.ts'
import { findRevertData } from '../revert/findRevertData.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import { callAtBlock } from '../rpc/callAtBlock.ts'
import type { Rpc } from '../rpc/createRpc.ts'

/** Why a mined transaction reverted. */
export type Failure = { readonly code: string; readonly message: string; readonly revert: Revert }

/**
 * Finds out why a mined transaction failed by running it again on the state at the end of its own block; undefined if it
 * does not revert there, for instance because it ran out of gas.
 */
export async function findFailure(rpc: Rpc, request: findFailure.Request): Promise<Failure | undefined> {
  const { hash, blockHash, tokens } = request
  const transaction = await rpc.reads.request({ method: 'eth_getTransactionByHash', params: [hash] }).catch(() => null)
  if (!transaction) return undefined
  const { from, to, input, value } = transaction
  try {
    await callAtBlock(rpc, [{ from, to, data: input, value }, { blockHash }])
    return undefined
  } catch (error) {
    const data = findRevertData(error)
    if (data === undefined) return undefined
    const revert = decodeRevert(data)
    const { code, message } = toRevertError(revert, findConversion(input, tokens))
    return { code, message, revert }
  }
}

export declare namespace findFailure {
  type Request = {
    readonly hash: Hex
    readonly blockHash: Hex
    /** The deployment's tokens, for the decimals of the figures in the message. */
    readonly tokens: ReadonlyMap<Address, Token>
  }
}

/** A conversion through the router; nothing for another call. */
function findConversion(input: Hex, tokens: ReadonlyMap<Address, Token>): toRevertError.Conversion {
  try {
    const { functionName, args } = decodeFunctionData({ abi: routerAbi, data: input })
    if (functionName !== 'originSwap') return {}
    const [, origin, target, amountInRaw, minAmountOutRaw] = args
    return { tokenIn: tokens.get(origin), tokenOut: tokens.get(target), amountInRaw, minAmountOutRaw }
  } catch {
    return {}
  }
}

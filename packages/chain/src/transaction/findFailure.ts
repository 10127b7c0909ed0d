import type { Address, ErrorCode, Token } from '@agio/core'
import { BaseError, hexToBigInt, type Hex, getAddress } from 'viem'
import { decodeRevert, type Revert } from '../revert/decodeRevert.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import { readAtBlock } from '../selection/readAtBlock.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { parseConversionCall } from '../call/decodeConversionCall.ts'

/** Why a mined transaction reverted. */
export type Failure = { readonly code: ErrorCode; readonly message: string; readonly revert: Revert }

/**
 * Finds the reason of a failed transaction by replaying it on the state at the end of its block. The first replay has
 * no gas limit. If it does not revert, the second replay has the gas limit of the transaction.
 *
 * @returns undefined if neither replay shows the reason, or if no node returns the transaction
 */
export async function findFailure(rpc: Rpc, options: findFailure.Options): Promise<Failure | undefined> {
  const { hash, blockHash, tokens } = options
  const transaction = await rpc.client.request({ method: 'eth_getTransactionByHash', params: [hash] }).catch(() => null)
  if (!transaction) return undefined
  const { from, to, input: data, value, gas } = transaction
  const replay = async (limit?: Hex) => {
    try {
      const params = [{ from, to, data, value, gas: limit }, { blockHash }] as const
      await readAtBlock(() => rpc.client.request({ method: 'eth_call', params }))
      return undefined
    } catch (error) {
      return error
    }
  }
  const revert = findRevertData(await replay())
  if (revert !== undefined) return explain(decodeRevert(revert), findConversion({ from, to, data }, tokens))
  return isOutOfGas(await replay(gas)) ? toGasLimitFailure(hexToBigInt(gas)) : undefined
}

export declare namespace findFailure {
  type Options = {
    readonly hash: Hex
    readonly blockHash: Hex
    /** The deployment's tokens, for the decimals of the amounts in the message. */
    readonly tokens: ReadonlyMap<Address, Token>
  }
}

function explain(revert: Revert, conversion: toRevertError.Conversion): Failure {
  const { code, message } = toRevertError(revert, conversion)
  return { code, message, revert }
}

// A contract whose inner call runs out of gas may revert with any data.
function isOutOfGas(error: unknown): boolean {
  return findRevertData(error) !== undefined || (error instanceof BaseError && /out of gas/i.test(error.details))
}

function toGasLimitFailure(limit: bigint): Failure {
  const message = `Cannot run the transaction: its gas limit of ${limit} is too low`
  return { code: 'svc/reverted', message, revert: { name: 'OutOfGas', args: [limit.toString()] } }
}

/**
 * Returns the sender and receiver of a transaction, and the tokens and amounts of a conversion by a router or a pool.
 * They explain the revert of the transaction.
 *
 * @param tokens the deployment's tokens, for the decimals of the amounts
 */
export function findConversion(
  { from, to, data }: findConversion.Transaction,
  tokens: ReadonlyMap<Address, Token>,
): toRevertError.Conversion {
  const parties = { from: getAddress(from), to: to ? getAddress(to) : undefined }
  const call = parseConversionCall(data)
  if (call === undefined) return parties
  const { tokenIn, tokenOut, ...terms } = call
  return { ...terms, ...parties, tokenIn: tokens.get(tokenIn), tokenOut: tokens.get(tokenOut) }
}

export declare namespace findConversion {
  type Transaction = { readonly from: Hex; readonly to?: Hex | null | undefined; readonly data: Hex }
}

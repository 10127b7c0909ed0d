import type { Address } from '@agio/core'
import { decodeFunctionResult, encodeFunctionData, numberToHex, RpcRequestError, size, type Hex } from 'viem'
import { gasMeterAbi, gasMeterCode } from '../abi/index.ts'
import { findProvenChainId, type Proven } from '../proof/ProvenRead.ts'
import type { Rpc } from '../selection/createRpc.ts'

/** The state that a state override sets for one call: code, and values of storage slots. */
export type Overrides = Readonly<
  Record<Address, { readonly code?: Hex; readonly stateDiff?: Readonly<Record<Hex, Hex>> }>
>

/**
 * Measures calls of an account in one `eth_call`, each in the state after the previous calls. The code of
 * `contracts/GasMeter.sol` replaces the code of the account, and accepts every signature of the account.
 *
 * @throws `svc/upstream-*`, and the node's error if it does not accept overrides
 */
export async function measureCalls(
  { read }: Pick<Rpc, 'read'>,
  { from, calls, overrides, maxGas }: measureCalls.Options,
): Promise<Measured> {
  const list = calls.map(({ to, data }) => ({ target: to, data }))
  const data = encodeFunctionData({ abi: gasMeterAbi, functionName: 'measureAll', args: [list] })
  // The call has no sender: with this code the account is a contract, and some nodes refuse calls from contracts
  // (EIP-3607).
  const limit = maxGas !== undefined && { gas: numberToHex(maxGas) }
  const params = [{ to: from, data, ...limit }, 'latest', { ...overrides, [from]: { code: gasMeterCode } }]
  return await read({
    request: { method: 'eth_call', params },
    canFail: true,
    lacksProof: false,
    decode: (result) => decodeMeasured(result, calls.length),
  })
}

export declare namespace measureCalls {
  type Options = {
    readonly from: Address
    readonly calls: readonly { readonly to: Address; readonly data: Hex }[]
    readonly overrides?: Overrides | undefined
    /** The gas that all calls may use together; by default as much as the node grants. */
    readonly maxGas?: bigint | undefined
  }
}

/**
 * The gas of each call that was made, without the intrinsic gas of a transaction, and the revert of the last call if it
 * reverted.
 */
export type Measured = {
  readonly gasUsed: readonly bigint[]
  /** The error that a node returns for a reverted call. */
  readonly revert: RpcRequestError | undefined
}

// The words before the data: the proof, the offset of the gas, the success, the offset of the revert data, and the
// lengths of both.
const words = 7

function decodeMeasured(result: Hex, count: number): Proven<Measured> {
  const data = decodeFunctionResult({ abi: gasMeterAbi, functionName: 'measureAll', data: result })
  const [, gasUsed, success, revertData] = data
  const expectedSize = 32 * (words + gasUsed.length + Math.ceil(size(revertData) / 32))
  const chainId = findProvenChainId(result)
  const isPlausible = success ? gasUsed.length === count : gasUsed.length > 0 && gasUsed.length <= count
  if (chainId === undefined || size(result) !== expectedSize || !isPlausible) {
    throw new Error('the node returns no gas')
  }
  return { chainId, value: { gasUsed, revert: success ? undefined : toRevert(revertData) } }
}

function toRevert(data: Hex): RpcRequestError {
  return new RpcRequestError({ body: {}, url: '', error: { code: 3, message: 'execution reverted', data } })
}

import type { Address } from '@agio/core'
import {
  decodeFunctionResult,
  encodeFunctionData,
  hexToBigInt,
  numberToHex,
  RpcRequestError,
  size,
  slice,
  type Hex,
} from 'viem'
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

const wordSize = 32

// The words of the result before the gas values: two of the proof, the offset of the gas values, the success, the offset of
// the revert data, and the count of the gas values.
const gasOffset = 5 * wordSize
const headSize = gasOffset + wordSize

/** The gas is counted before it is decoded: a node may return any number of values. */
function decodeMeasured(result: Hex, count: number): Proven<Measured> {
  const chainId = findProvenChainId(result)
  const hasCount = size(result) > headSize && readWord(result, 2 * wordSize) === BigInt(gasOffset)
  const noGas = new Error('the node returns no gas')
  if (chainId === undefined || !hasCount || readWord(result, gasOffset) > BigInt(count)) throw noGas
  const data = decodeFunctionResult({ abi: gasMeterAbi, functionName: 'measureAll', data: result })
  const [, gasUsed, success, revertData] = data
  const expectedSize = headSize + wordSize * (gasUsed.length + 1 + Math.ceil(size(revertData) / wordSize))
  const isPlausible = success ? gasUsed.length === count : gasUsed.length > 0
  if (size(result) !== expectedSize || !isPlausible) throw noGas
  return { chainId, value: { gasUsed, revert: success ? undefined : toRevert(revertData) } }
}

function readWord(result: Hex, position: number): bigint {
  return hexToBigInt(slice(result, position, position + wordSize))
}

function toRevert(data: Hex): RpcRequestError {
  return new RpcRequestError({ body: {}, url: '', error: { code: 3, message: 'execution reverted', data } })
}

import type { Address } from '@agio/core'
import { hexToBigInt, hexToBytes, type Hex } from 'viem'
import { DoubtfulError } from '../errors/DoubtfulError.ts'
import type { Rpc } from '../selection/createRpc.ts'

// No transaction of our networks may use more gas. Conversions use less than a million, but a rollup adds the gas for their data,
// which may be many millions while L1 is expensive.
const maxGas = 32_000_000n

/**
 * Returns the estimate of an `eth_estimateGas`. An estimate below the intrinsic gas or above 32,000,000 is asked of the next
 * node.
 *
 * @throws the error of a node; `DoubtfulError` if no node returns a plausible estimate
 */
export async function estimateGas(
  { readChecked }: Pick<Rpc, 'readChecked'>,
  params: estimateGas.Params,
): Promise<bigint> {
  const { data = '0x' } = params[0]
  const check = (result: unknown): bigint => {
    const gas = hexToBigInt(result as Hex)
    if (isPlausibleGas(gas, data)) return gas
    throw new DoubtfulError(`an estimate of ${gas} gas`, gas)
  }
  return await readChecked({ method: 'eth_estimateGas', params }, { subject: 'gas', check })
}

export declare namespace estimateGas {
  type Transaction = { readonly from: Address; readonly to: Address; readonly data?: Hex; readonly gas?: Hex }
  /** A transaction, and optionally the block and the state overrides. */
  type Params = readonly [transaction: Transaction, ...rest: unknown[]]
}

/** Returns whether a transaction with this calldata can use this gas. */
export function isPlausibleGas(gas: bigint, data: Hex): boolean {
  return gas >= intrinsicGas(data) && gas <= maxGas
}

/**
 * Returns the gas of a transaction before its first instruction: 21,000, plus 4 per zero byte and 16 per other byte of
 * calldata.
 */
export function intrinsicGas(data: Hex): bigint {
  return hexToBytes(data).reduce((gas, byte) => gas + (byte === 0 ? 4n : 16n), 21_000n)
}

/**
 * Returns the gas limit for an `eth_estimateGas` of a conversion: 28 % more. Some nodes return the gas that was used, after a
 * refund of up to a fifth (EIP-3529). The limit must cover the refund, and the 64th that a contract keeps at a call (EIP-150).
 */
export function withEstimateMargin(gas: bigint): bigint {
  return (gas * 32n) / 25n
}

/** Returns the gas limit for an estimate: 20 % more, so that the transaction succeeds on a slightly changed state. */
export function withMargin(gas: bigint): bigint {
  return (gas * 12n) / 10n
}

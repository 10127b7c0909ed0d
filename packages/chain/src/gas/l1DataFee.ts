import type { Address } from '@agio/core'
import { encodeFunctionData, hexToBigInt, parseAbi, serializeTransaction, size, type Hex } from 'viem'
import { withMargin } from './estimateGas.ts'

// On a chain of the OP stack a transaction also pays for its bytes on L1. The estimate of Arbitrum contains that fee.
// https://docs.optimism.io/stack/transactions/fees
const oracle = '0x420000000000000000000000000000000000000F'
const abi = parseAbi(['function getL1Fee(bytes) view returns (uint256)'])

/** Returns the call that reads the fee for the bytes of a transaction on L1, signed or not. */
export function toL1FeeCall(serialized: Hex): { readonly target: Address; readonly data: Hex } {
  return { target: oracle, data: encodeFunctionData({ abi, functionName: 'getL1Fee', args: [serialized] }) }
}

/** Returns the fee in wei, with a margin, since it follows the fees of L1; undefined on a chain without such a fee. */
export function toL1FeeWei(result: Hex | undefined): bigint | undefined {
  return result !== undefined && size(result) === 32 ? withMargin(hexToBigInt(result)) : undefined
}

/** Returns the bytes of an unsigned call, with fees and a nonce of the size that is usual. */
export function toUnsignedBytes({ to, data, chainId }: { to: Address; data: Hex; chainId: number }): Hex {
  const [nonce, gas, fee] = [2 ** 16, 2n ** 20n, 2n ** 40n]
  const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: fee }
  return serializeTransaction({ type: 'eip1559', chainId, to, data, nonce, gas, ...fees })
}

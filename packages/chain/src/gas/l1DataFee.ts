import type { Address } from '@agio/core'
import { encodeFunctionData, hexToBigInt, parseAbi, serializeTransaction, size, type Hex } from 'viem'
import type { Rpc } from '../selection/createRpc.ts'
import { withMargin } from './estimateGas.ts'

// On a chain of the OP stack a transaction also pays for its bytes on L1. The estimate of Arbitrum contains that fee.
// https://docs.optimism.io/stack/transactions/fees
const oracle = '0x420000000000000000000000000000000000000F'
const abi = parseAbi(['function getL1Fee(bytes) view returns (uint256)'])

/** Returns the call that reads the fee for the bytes of a transaction on L1, signed or not. */
export function toL1FeeCall(serialized: Hex): { readonly target: Address; readonly data: Hex } {
  return { target: oracle, data: encodeFunctionData({ abi, functionName: 'getL1Fee', args: [serialized] }) }
}

/** What a transaction also pays for its bytes on L1; nothing on a chain without such a fee. */
export type L1Fee = { readonly l1FeeWei?: bigint }

/** Returns the fee with a margin, since it follows the fees of L1. */
export function toL1Fee(result: { readonly success: boolean; readonly data: Hex } | undefined): L1Fee {
  return result?.success === true && size(result.data) === 32 ? { l1FeeWei: withMargin(hexToBigInt(result.data)) } : {}
}

/** Reads the fee for the bytes of a transaction, at the newest block of a node. A node that fails has no such fee. */
export async function readL1Fee({ client }: Pick<Rpc, 'client'>, serialized: Hex): Promise<L1Fee> {
  const { target: to, data } = toL1FeeCall(serialized)
  const reading = client.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })
  return await reading.then(
    (result) => toL1Fee({ success: true, data: result }),
    () => ({}),
  )
}

/** Returns the bytes of an unsigned call, with a nonce, fees and a chain id of the size that is usual. */
export function toUnsignedBytes({ to, data, value }: { to: Address; data: Hex; value?: bigint }): Hex {
  const [chainId, nonce, gas, fee] = [2 ** 16, 2 ** 16, 2n ** 20n, 2n ** 40n]
  const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: fee }
  return serializeTransaction({ type: 'eip1559', chainId, to, data, value, nonce, gas, ...fees })
}

import type { Address } from '@agio/core'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'

/** Encodes the calldata of an `approve` call, which sets the allowance of a spender, in raw units. */
export function encodeApproval(spender: Address, amountRaw: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amountRaw] })
}

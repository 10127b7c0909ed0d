import type { Address } from '@agio/core'
import { erc20Abi } from 'viem'
import { connectOwner } from '../harness/connectOwner.ts'

/** Reads an allowance, in raw units. */
export async function readAllowance(
  chain: { readonly rpcUrl: string },
  token: Address,
  [owner, spender]: readonly [Address, Address],
): Promise<bigint> {
  const { client } = connectOwner(chain)
  const args = [owner, spender] as const
  return await client.readContract({ address: token, abi: erc20Abi, functionName: 'allowance', args })
}

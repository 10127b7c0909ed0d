import type { Address } from '@agio/core'
import { erc20Abi } from 'viem'
import { connectOwner } from './connectOwner.ts'

/** Reads the balance of a token, in raw units. */
export async function readBalance(chain: { readonly rpcUrl: string }, token: Address, owner: Address): Promise<bigint> {
  const { client } = connectOwner(chain)
  return await client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
}

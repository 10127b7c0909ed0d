import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { maxUint256 } from 'viem'
import { createWallet } from './createWallet.ts'
import { connectOwner } from './connectOwner.ts'
import { writeContract } from './writeContract.ts'

/** A new wallet that holds raw units of a token and has approved a spender, set up without the service. */
export async function createPayer(chain: Pick<LocalChain, 'rpcUrl'>, { token, amountRaw, spender, ...funds }: Funds) {
  const { client } = connectOwner(chain)
  const wallet = await createWallet(chain)
  const { address } = wallet
  await writeContract(client, { address: token, abi: tokenAbi, functionName: 'mint', args: [address, amountRaw] })
  const args = [spender, funds.approvedRaw ?? maxUint256] as const
  await writeContract(client, { address: token, account: address, abi: tokenAbi, functionName: 'approve', args })
  return wallet
}

export type Funds = {
  readonly token: Address
  /** Raw units. */
  readonly amountRaw: bigint
  readonly spender: Address
  /** Raw units. Any amount by default. */
  readonly approvedRaw?: bigint
}

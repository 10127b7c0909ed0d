import type { LocalChain } from '@agio/localnet'
import type { Address } from '@agio/core'
import type { Hex } from 'viem'
import { createWallet } from '../harness/createWallet.ts'

/** Signs the first transaction of a new wallet, without a service. */
export async function signTransfer(chain: LocalChain): Promise<{ readonly from: Address; readonly signed: Hex }> {
  const { address, sign } = await createWallet(chain)
  const transfer = { to: address, data: '0x', value: '0', chainId: chain.chainId, gasLimit: '21000' } as const
  return { from: address, signed: await sign(async () => ({ status: 200, data: { nonce: 0 } }), transfer) }
}

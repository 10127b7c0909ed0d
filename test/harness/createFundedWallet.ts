import { Network } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { generatePrivateKey } from 'viem/accounts'
import { createTestWallet, type TestWallet } from '../../packages/sdk/src/testing.ts'
import { fund } from './createHolder.ts'
import { connectOwner } from './connectOwner.ts'

/**
 * Creates a test wallet of a new account, which holds native currency and tokens on one chain and knows all chains. Like
 * the wallet of a new user, it is not connected.
 *
 * @param holding amounts in whole tokens, by symbol
 */
export async function createFundedWallet(
  chains: Readonly<Record<Network.ChainId, Pick<LocalChain, 'rpcUrl' | 'tokens'>>>,
  { chainId, holding = {}, canBatch = false }: createFundedWallet.Options,
): Promise<TestWallet> {
  const chain = chains[chainId]
  const wallet = createTestWallet({
    privateKey: generatePrivateKey(),
    chainId,
    rpcUrls: Network.map((id) => chains[id].rpcUrl),
    isConnected: false,
    batchContract: canBatch ? await connectOwner(chain).deploy('testing/LaxDelegate', []) : undefined,
  })
  await fund(chain, wallet.address, holding)
  return wallet
}

export declare namespace createFundedWallet {
  type Options = {
    readonly chainId: LocalChain['chainId']
    readonly holding?: Readonly<Record<string, string>>
    /** Whether it sends batches by EIP-5792. */
    readonly canBatch?: boolean
  }
}

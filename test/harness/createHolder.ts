import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseEther, parseUnits } from 'viem'
import { connectOwner } from './connectOwner.ts'
import { writeContract } from './writeContract.ts'
import { createEthersWallet } from './createEthersWallet.ts'
import { createViemWallet } from './createViemWallet.ts'
import type { Wallet } from './Wallet.ts'

/** The libraries that wallets are built with. */
const libraries = { ethers: createEthersWallet, viem: createViemWallet } as const

export type Library = keyof typeof libraries

/**
 * A new wallet with native currency and tokens, and without any allowance.
 *
 * @param holding amounts in whole tokens, by symbol
 */
export async function createHolder(
  chain: LocalChain,
  holding: Readonly<Record<string, string>>,
  library: Library = 'viem',
): Promise<Wallet> {
  const wallet = libraries[library](chain)
  await fund(chain, wallet.address, holding)
  return wallet
}

/** Gives an account native currency and tokens, in whole tokens by symbol. */
export async function fund(
  chain: Pick<LocalChain, 'rpcUrl' | 'tokens'>,
  account: Address,
  holding: Readonly<Record<string, string>>,
): Promise<void> {
  const { client } = connectOwner(chain)
  await client.setBalance({ address: account, value: parseEther('10') })
  for (const [symbol, amount] of Object.entries(holding)) {
    const address = chain.tokens[symbol] as Address
    const args = [account, parseUnits(amount, 6)] as const
    await writeContract(client, { address, abi: tokenAbi, functionName: 'mint', args })
  }
}

import type { Address } from '@agio/core'
import type { HardhatViemHelpers } from '@nomicfoundation/hardhat-viem/types'
import { getAddress, type Hex, type PublicClient } from 'viem'

/**
 * Returns a deployer for an account of a network. It sends one transaction at a time, so that addresses are the same in
 * each deployment.
 *
 * @param index of the account: the first by default; negative numbers count from the end
 */
export async function createDeployer(viem: HardhatViemHelpers, index = 0): Promise<Deployer> {
  const client = await viem.getPublicClient()
  const wallet = (await viem.getWalletClients()).at(index)
  if (!wallet) throw new Error('Cannot deploy: the network has no account that signs')
  const balance = await client.getBalance({ address: wallet.account.address })
  if (balance === 0n) throw new Error(`Cannot deploy: ${wallet.account.address} has no native balance for gas`)
  return {
    address: getAddress(wallet.account.address),
    client,
    async deploy(contract, args) {
      const { address } = await viem.deployContract(contract, [...args], { client: { wallet } })
      return getAddress(address)
    },
    async send(to, data) {
      const hash = await wallet.sendTransaction({ to, data })
      const { status } = await client.waitForTransactionReceipt({ hash })
      if (status !== 'success') throw new Error(`Cannot deploy: transaction ${hash} to ${to} reverted`)
    },
  }
}

/** An account that deploys contracts. */
export type Deployer = {
  readonly address: Address
  readonly client: PublicClient
  /** Deploys a contract by the name of its artifact. */
  deploy(contract: string, args: readonly unknown[]): Promise<Address>
  /** Calls a contract. @throws `Error` if the transaction reverts */
  send(to: Address, data: Hex): Promise<void>
}

import type { Address } from '@agio/core'
import {
  createPublicClient,
  createWalletClient,
  getAddress,
  type Account,
  type Hex,
  type PublicClient,
  type TransactionReceipt,
} from 'viem'
import { toTransport, type Provider } from '../chain/Provider.ts'
import { toCreationCode, type ContractName } from '../contracts/toCreationCode.ts'

const pollingIntervalMs = 100

/**
 * Returns a deployer for an account of a network. It sends one transaction at a time, so that addresses are the same in
 * each deployment.
 *
 * @param account an account with its key, or the address of an account for which the node signs
 * @throws `Error` if the account has no native balance
 */
export async function createDeployer(provider: Provider, account: Account | Address): Promise<Deployer> {
  const options = { transport: toTransport(provider), pollingInterval: pollingIntervalMs }
  const client = createPublicClient(options)
  const wallet = createWalletClient({ ...options, account })
  const address = getAddress(wallet.account.address)
  if ((await client.getBalance({ address })) === 0n)
    throw new Error(`Cannot pay for gas: ${address} has no native balance`)

  async function send(to: Address | undefined, data: Hex): Promise<TransactionReceipt> {
    // Some nodes estimate the gas that was used, although a nested creation must leave a part of it unused.
    const estimate = await client.estimateGas({ account: address, to, data })
    const hash = await wallet.sendTransaction({ to, data, chain: null, gas: (estimate * 13n) / 10n })
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status === 'success') return receipt
    throw new Error(`Transaction ${hash} ${to ? `to ${to}` : 'that creates a contract'} reverted`)
  }
  return {
    address,
    client,
    async deploy(contract, args) {
      const { contractAddress } = await send(undefined, toCreationCode(contract, args))
      return getAddress(String(contractAddress))
    },
    async send(to, data) {
      await send(to, data)
    },
  }
}

/** An account that deploys contracts. */
export type Deployer = {
  readonly address: Address
  readonly client: PublicClient
  /** Deploys a contract. */
  deploy(contract: ContractName, args: readonly unknown[]): Promise<Address>
  /** Calls a contract. @throws `Error` if the transaction reverts */
  send(to: Address, data: Hex): Promise<void>
}

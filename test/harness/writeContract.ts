import type { Address } from '@agio/core'
import {
  encodeFunctionData,
  getContractError,
  type Abi,
  type Account,
  type BaseError,
  type Client,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  type Hex,
  type TestClient,
  type TransactionReceipt,
  type Transport,
} from 'viem'
import {
  call,
  getTransaction,
  impersonateAccount,
  sendTransaction as submitTransaction,
  stopImpersonatingAccount,
  waitForTransactionReceipt,
} from 'viem/actions'

type LocalClient = TestClient<'hardhat', Transport, undefined, Account, false>

type Sender = {
  /** The client's own account by default. Any other account or contract of the chain is impersonated. */
  readonly account?: Address
}

type WriteName<abi extends Abi> = ContractFunctionName<abi, 'nonpayable' | 'payable'>

type ContractWrite<abi extends Abi, name extends WriteName<abi>> = Sender & { readonly address: Address } & Omit<
    EncodeFunctionDataParameters<abi, name>,
    'address'
  >

/**
 * Calls a contract of a local chain in a transaction, and waits until it is mined.
 *
 * @returns the receipt, whose status is `success`
 * @throws viem's `ContractFunctionExecutionError`, which names the revert
 */
export async function writeContract<const abi extends Abi, name extends WriteName<abi>>(
  client: LocalClient,
  { address, account, ...write }: ContractWrite<abi, name>,
): Promise<TransactionReceipt> {
  const data = encodeFunctionData(write as unknown as EncodeFunctionDataParameters)
  try {
    return await sendTransaction(client, { to: address, data, ...(account && { account }) })
  } catch (error) {
    const { abi, functionName, args } = write as unknown as Parameters<typeof getContractError>[1]
    throw getContractError(error as BaseError, { abi, functionName, args, address })
  }
}

/**
 * Sends a transaction on a local chain, and waits until it is mined.
 *
 * @returns the receipt, whose status is `success`
 * @throws viem's `CallExecutionError`, which carries what it reverted with
 */
export async function sendTransaction(
  client: LocalClient,
  transaction: Sender & { readonly to: Address; readonly data?: Hex; readonly value?: bigint },
): Promise<TransactionReceipt> {
  const { account = client.account.address } = transaction
  const isOwn = account === client.account.address
  if (!isOwn) await impersonateAccount(client, { address: account })
  // Not estimated: what a transaction needs may change between the block of its estimate and its own.
  const hash = await submitTransaction(client, { ...transaction, account, gas: 1_000_000n, chain: null })
  if (!isOwn) await stopImpersonatingAccount(client, { address: account })
  return await waitForSuccess(client, hash)
}

/**
 * Waits until a transaction is mined.
 *
 * @returns the receipt, whose status is `success`
 * @throws viem's `CallExecutionError`, which carries what it reverted with
 */
export async function waitForSuccess(client: Client, hash: Hex): Promise<TransactionReceipt> {
  const receipt = await waitForTransactionReceipt(client, { hash })
  if (receipt.status === 'success') return receipt
  const { from, to, input, value, gas } = await getTransaction(client, { hash })
  // The receipt does not carry the revert: the same call on the block before reverts alike.
  await call(client, { account: from, to, data: input, value, gas, blockNumber: receipt.blockNumber - 1n })
  throw new Error(`Cannot use transaction ${hash}: reverted after ${receipt.gasUsed} of ${gas} gas`)
}

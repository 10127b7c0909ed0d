import type { Address } from '@agio/core'
import {
  createTestClient,
  encodeFunctionData,
  http,
  publicActions,
  walletActions,
  type Abi,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  type Hex,
  type TransactionReceipt,
} from 'viem'

/** Connects to the node of a local chain, for reads and the methods of test nodes. */
export function connectNode({ rpcUrl }: { readonly rpcUrl: string }) {
  return createTestClient({ mode: 'hardhat', transport: http(rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}

/** A client of a local node. */
export type NodeClient = ReturnType<typeof connectNode>

type WriteName<abi extends Abi> = ContractFunctionName<abi, 'nonpayable' | 'payable'>

type ContractWrite<abi extends Abi, name extends WriteName<abi>> = {
  readonly address: Address
  /** An account for which the node signs. */
  readonly account: Address
} & EncodeFunctionDataParameters<abi, name>

/**
 * Calls a contract of a local chain in a transaction, and waits until the transaction is mined.
 *
 * @throws `Error` if it reverts
 */
export async function writeContract<const abi extends Abi, name extends WriteName<abi>>(
  client: NodeClient,
  write: ContractWrite<abi, name>,
): Promise<void> {
  await waitForSuccess(client, await submitWrite(client, write))
}

/** Calls a contract of a local chain in a transaction, and returns its hash at once. */
export async function submitWrite<const abi extends Abi, name extends WriteName<abi>>(
  client: NodeClient,
  { address, account, ...write }: ContractWrite<abi, name>,
): Promise<Hex> {
  const data = encodeFunctionData(write as unknown as EncodeFunctionDataParameters)
  // Not estimated: the required gas may change between the estimate and the transaction's block.
  return await client.sendTransaction({ account, to: address, data, gas: 1_000_000n, chain: null })
}

/** Waits until a transaction is mined, and returns its receipt. @throws `Error` if it reverts */
export async function waitForSuccess(client: NodeClient, hash: Hex): Promise<TransactionReceipt> {
  const receipt = await client.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`Cannot use transaction ${hash}: it reverted`)
  return receipt
}

import { Errors, type Address, ServiceError } from '@agio/core'
import { getAddress, hexToBigInt, type Hex, type RpcTransaction } from 'viem'
import type { Rpc } from '../selection/createRpc.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { readReceipt, type Receipt } from './readReceipt.ts'

/** The status of a transaction; `receipt` and `confirmations` are absent while it is pending. */
export type TransactionStatus =
  | { readonly status: 'pending' }
  | {
      readonly status: 'success' | 'failed'
      readonly receipt: Receipt
      readonly confirmations: bigint
      /** The sent transaction; undefined if the node knows only the receipt. */
      readonly transaction: SentTransaction | undefined
    }

/** The parties, the value and the calldata of a transaction. A transaction without a receiver creates a contract. */
export type SentTransaction = {
  readonly from: Address
  readonly to: Address | undefined
  readonly valueWei: bigint
  readonly data: Hex
}

/** Converts the transaction of a node, whose form was checked. */
export function toSent({ from, to, value, input }: Pick<RpcTransaction, 'from' | 'to' | 'value' | 'input'>) {
  return {
    from: getAddress(from),
    to: to ? getAddress(to) : undefined,
    valueWei: hexToBigInt(value),
    data: input,
  } satisfies SentTransaction
}

/** Reads the status of a transaction. @throws `svc/transaction-not-found` if no node knows the hash */
export async function readStatus(rpc: Rpc, hash: Hex): Promise<TransactionStatus> {
  const [receipt, transaction, newest] = await Promise.all([
    readReceipt(rpc, hash),
    readSent(rpc, hash),
    rpc.client.request({ method: 'eth_blockNumber' }).then(BigInt),
  ]).catch((error: unknown) => {
    throw toUpstreamError(error)
  })
  if (receipt) {
    const { status, blockNumber } = receipt
    const confirmations = newest - blockNumber + 1n
    return { status, receipt, confirmations: confirmations > 0n ? confirmations : 1n, transaction }
  }
  if (transaction) return { status: 'pending' }
  throw Errors.transactionNotFound({ hash })
}

async function readSent({ client }: Rpc, hash: Hex): Promise<SentTransaction | undefined> {
  const transaction = await client.request({ method: 'eth_getTransactionByHash', params: [hash] })
  return transaction ? toSent(transaction) : undefined
}

// The delays add up to one second. A wallet may have sent the transaction to another node.
const delaysMs = [100, 200, 300, 400]

/**
 * Reads the status of a transaction. While no node knows the hash, tries again for up to a second.
 *
 * @throws `svc/transaction-not-found` if no node knows the hash by then
 */
export async function waitForStatus(rpc: Rpc, hash: Hex): Promise<TransactionStatus> {
  for (const delayMs of delaysMs) {
    const found = await findStatus(rpc, hash)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, delayMs))
  }
  const found = await findStatus(rpc, hash)
  if (found) return found
  throw Errors.transactionNotFound({ hash, reason: 'no node knows it yet; try again a moment after sending it' })
}

async function findStatus(rpc: Rpc, hash: Hex): Promise<TransactionStatus | undefined> {
  return await readStatus(rpc, hash).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'svc/transaction-not-found') return undefined
    throw error
  })
}

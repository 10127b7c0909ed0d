import { ServiceError } from '@agio/core'
import type { Hex } from 'viem'
import type { Rpc } from '../selection/createRpc.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { readReceipt, type Receipt } from './readReceipt.ts'

/** The status of a transaction; `receipt` and `confirmations` are absent while it is pending. */
export type TransactionStatus =
  | { readonly status: 'pending' }
  | { readonly status: 'success' | 'failed'; readonly receipt: Receipt; readonly confirmations: bigint }

/**
 * Reads the status of a transaction, in one round trip.
 *
 * @throws `svc/transaction-not-found` if no node knows the hash
 */
export async function readStatus(rpc: Rpc, hash: Hex): Promise<TransactionStatus> {
  const [receipt, transaction, newest] = await Promise.all([
    readReceipt(rpc, hash),
    rpc.client.request({ method: 'eth_getTransactionByHash', params: [hash] }),
    rpc.client.request({ method: 'eth_blockNumber' }).then(BigInt),
  ]).catch((error: unknown) => {
    throw toUpstreamError(error)
  })
  if (receipt) {
    const { status, blockNumber } = receipt
    const confirmations = newest - blockNumber + 1n
    return { status, receipt, confirmations: confirmations > 0n ? confirmations : 1n }
  }
  if (transaction) return { status: 'pending' }
  throw new ServiceError('svc/transaction-not-found', `Cannot find transaction ${hash}: no node knows it`, {})
}

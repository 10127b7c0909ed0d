import { Errors, ServiceError } from '@agio/core'
import type { Hex } from 'viem'
import type { Rpc } from '../selection/createRpc.ts'
import { readStatus, type TransactionStatus } from '../transaction/readStatus.ts'

// A second in total. A wallet may have given the transaction to another node.
const delaysMs = [100, 200, 300, 400]

/**
 * Reads the status of a transaction. Waits up to a second for a node to learn of it.
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

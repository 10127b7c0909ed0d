import type { LocalChain } from '@agio/localnet'
import type { Hex, TransactionReceipt } from 'viem'
import { connectOwner } from './connectOwner.ts'

const maxFeePerGas = 100_000_000_000n

/**
 * Mines transactions in one block, in their order, on a chain that mines no blocks by itself.
 *
 * @returns their receipts, successful or not
 */
export async function mineTogether(
  chain: LocalChain,
  submits: readonly mineTogether.Submit[],
): Promise<TransactionReceipt[]> {
  const { client } = connectOwner(chain)
  const hashes: Hex[] = []
  await client.setAutomine(false)
  try {
    for (const [index, submit] of submits.entries()) {
      const maxPriorityFeePerGas = BigInt(submits.length - index) * 1_000_000_000n
      hashes.push(await submit({ maxFeePerGas, maxPriorityFeePerGas }))
    }
    await client.mine({ blocks: 1 })
  } finally {
    await client.setAutomine(true)
  }
  const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })))
  const isTogether = receipts.every(
    ({ blockHash, transactionIndex }, index) => blockHash === receipts[0]?.blockHash && transactionIndex === index,
  )
  if (isTogether) return receipts
  throw new Error('Cannot mine the transactions together: the node has ordered them otherwise')
}

export declare namespace mineTogether {
  /** The fees of a transaction, by which a node orders the transactions of a block. */
  type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  /** Sends a transaction with these fees to the node, and does not wait until it is mined. */
  type Submit = (fees: Fees) => Promise<Hex>
}

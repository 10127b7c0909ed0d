import {
  formatTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type Hex,
  type RpcTransaction,
  type Transaction,
} from 'viem'
import type { Operator } from './createOperator.ts'

/**
 * Remembers the transactions of all blocks after one, and those that wait for a block.
 *
 * @returns what sends them again, in their order, once these blocks are taken back; those that are known are left alone
 */
export async function keepTransactions({ client }: Operator, after: bigint): Promise<() => Promise<void>> {
  const kept: Transaction[] = []
  const newest = await client.getBlockNumber({ cacheTime: 0 })
  for (let blockNumber = after + 1n; blockNumber <= newest; blockNumber += 1n) {
    kept.push(...(await client.getBlock({ blockNumber, includeTransactions: true })).transactions)
  }
  const waiting = await client.request<ListPending>({ method: 'eth_pendingTransactions' })
  kept.push(...waiting.map((transaction) => formatTransaction(transaction)))
  return async () => {
    for (const transaction of kept) {
      const isKnown = await client.getTransaction({ hash: transaction.hash }).then(Boolean, () => false)
      if (!isKnown) await send(client, transaction)
    }
  }
}

type ListPending = { Method: 'eth_pendingTransactions'; Parameters?: undefined; ReturnType: readonly RpcTransaction[] }

async function send(client: Operator['client'], transaction: Transaction): Promise<void> {
  const { from, to, input, value, nonce, gas } = transaction
  const signed = serialize(transaction)
  const signer = await recoverTransactionAddress({ serializedTransaction: signed }).catch(() => undefined)
  if (signer?.toLowerCase() === from.toLowerCase()) {
    await client.sendRawTransaction({ serializedTransaction: signed })
    return
  }
  // Sent by the node in the name of an account whose key nobody has: it does so again.
  await client.sendTransaction({ account: from, to, data: input, value, nonce, gas, chain: null })
}

type Signed = Parameters<typeof recoverTransactionAddress>[0]['serializedTransaction']

function serialize({ r, s, v, yParity, ...transaction }: Transaction): Signed {
  const signature = { r, s, ...(yParity === undefined ? { v } : { yParity }) }
  const serialized: Hex = serializeTransaction({ ...transaction, data: transaction.input } as never, signature as never)
  return serialized as Signed
}

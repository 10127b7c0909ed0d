import {
  formatTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type Hex,
  type RpcTransaction,
  type Transaction,
} from 'viem'
import type { ChainOperator } from '../node/createChainOperator.ts'

/**
 * Captures the transactions of all blocks after a block, and the pending ones.
 *
 * @returns a function that sends them again in order, once the blocks are reverted; it skips those that the node still has
 */
export async function captureForReplay({ client }: ChainOperator, after: bigint): Promise<() => Promise<void>> {
  const captured: Transaction[] = []
  const newest = await client.getBlockNumber({ cacheTime: 0 })
  for (let blockNumber = after + 1n; blockNumber <= newest; blockNumber += 1n) {
    captured.push(...(await client.getBlock({ blockNumber, includeTransactions: true })).transactions)
  }
  const pending = await client.request<ListPending>({ method: 'eth_pendingTransactions' })
  captured.push(...pending.map((transaction) => formatTransaction(transaction)))
  return async () => {
    for (const transaction of captured) {
      const isKnown = await client.getTransaction({ hash: transaction.hash }).then(Boolean, () => false)
      if (!isKnown) await send(client, transaction)
    }
  }
}

type ListPending = { Method: 'eth_pendingTransactions'; Parameters?: undefined; ReturnType: readonly RpcTransaction[] }

async function send(client: ChainOperator['client'], transaction: Transaction): Promise<void> {
  const { from, to, input, value, nonce, gas } = transaction
  const signed = serialize(transaction)
  const signer = await recoverTransactionAddress({ serializedTransaction: signed }).catch(() => undefined)
  if (signer?.toLowerCase() === from.toLowerCase()) {
    await client.sendRawTransaction({ serializedTransaction: signed })
    return
  }
  // The node signed it for an impersonated account, whose key is unknown: it does so again.
  await client.sendTransaction({ account: from, to, data: input, value, nonce, gas, chain: null })
}

type Signed = Parameters<typeof recoverTransactionAddress>[0]['serializedTransaction']

function serialize({ r, s, v, yParity, ...transaction }: Transaction): Signed {
  const signature = { r, s, ...(yParity === undefined ? { v } : { yParity }) }
  const serialized: Hex = serializeTransaction({ ...transaction, data: transaction.input } as never, signature as never)
  return serialized as Signed
}

import type { Address } from '@agio/core'
import {
  formatTransaction,
  parseEther,
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
 * @returns a function that sends the chosen ones again in order, once the blocks are reverted; it skips those that the node still has
 */
export async function captureForReplay({ client }: ChainOperator, after: bigint): Promise<CapturedTransactions> {
  const captured: Transaction[] = []
  const newest = await client.getBlockNumber({ cacheTime: 0 })
  for (let blockNumber = after + 1n; blockNumber <= newest; blockNumber += 1n) {
    captured.push(...(await client.getBlock({ blockNumber, includeTransactions: true })).transactions)
  }
  const pending = await client.request<ListPending>({ method: 'eth_pendingTransactions' })
  captured.push(...pending.map((transaction) => formatTransaction(transaction)))
  const balances = new Map<Address, bigint>()
  for (const { from } of captured) balances.set(from, await client.getBalance({ address: from }))
  return {
    async replay(isChosen = () => true) {
      for (const transaction of captured) {
        if (!isChosen(transaction.hash)) continue
        const isKnown = await client.getTransaction({ hash: transaction.hash }).then(Boolean, () => false)
        if (isKnown) continue
        await restoreBalance(client, transaction.from, balances.get(transaction.from) ?? 0n)
        // One that the reverted state no longer takes must not keep the others out, nor the blocks after them.
        await send(client, transaction).catch(() => {})
      }
    },
  }
}

type CapturedTransactions = {
  /** Sends those again that are chosen by their hash; all by default. */
  readonly replay: (isChosen?: (hash: Hex) => boolean) => Promise<void>
}

type ListPending = { Method: 'eth_pendingTransactions'; Parameters?: undefined; ReturnType: readonly RpcTransaction[] }

/** Gives an account what it had: a test node can set balances without a transaction, which a revert undoes. */
async function restoreBalance(client: ChainOperator['client'], address: Address, value: bigint): Promise<void> {
  const margin = parseEther('1')
  if ((await client.getBalance({ address })) < value) await client.setBalance({ address, value: value + margin })
}

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

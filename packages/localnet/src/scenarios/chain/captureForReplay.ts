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
 * Captures the transactions of all blocks after a block, and the pending transactions.
 *
 * @returns a function that sends the selected transactions again in order after the blocks are reverted. It skips
 * transactions that the node already has
 */
export async function captureForReplay({ client }: ChainOperator, after: bigint) {
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
    /** Sends the transactions with selected hashes again. Default: all transactions. */
    async replay(isChosen: (hash: Hex) => boolean = () => true): Promise<void> {
      for (const transaction of captured) {
        if (!isChosen(transaction.hash)) continue
        const isPresent = await client.getTransaction({ hash: transaction.hash }).then(Boolean, () => false)
        if (isPresent) continue
        await restoreBalance(client, transaction.from, balances.get(transaction.from) ?? 0n)
        // A transaction that is invalid in the reverted state must not prevent the other transactions and later blocks.
        await send(client, transaction).catch(() => {})
      }
    },
  }
}

type ListPending = { Method: 'eth_pendingTransactions'; Parameters?: undefined; ReturnType: readonly RpcTransaction[] }

/** Restores the balance of an account. A test node can set balances without a transaction, and a revert undoes that. */
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
  // The node signed this transaction for an impersonated account with an unknown key, and signs it again.
  await client.sendTransaction({ account: from, to, data: input, value, nonce, gas, chain: null })
}

type Signed = Parameters<typeof recoverTransactionAddress>[0]['serializedTransaction']

function serialize({ r, s, v, yParity, ...transaction }: Transaction): Signed {
  const signature = { r, s, ...(yParity === undefined ? { v } : { yParity }) }
  const serialized: Hex = serializeTransaction({ ...transaction, data: transaction.input } as never, signature as never)
  return serialized as Signed
}

import type { Chain } from '@agio/chain'
import { ServiceError } from '@agio/core'
import type { Context } from '../trpc/Context.ts'

/**
 * Sends a signed transaction. If the key of the request has webhooks, it is stored first that they follow it: whatever happens to
 * this process afterwards, they deliver what becomes of it.
 *
 * @throws what `sendSigned` throws; `svc/storage-unavailable`, before anything is sent
 */
export async function sendFollowed(
  { keyId, store }: Pick<Context, 'keyId' | 'store'>,
  chain: Chain,
  signed: Awaited<ReturnType<Chain['transactions']['decodeSigned']>>,
): Promise<void> {
  if (keyId === undefined || !store.webhooks.followsTransactions(keyId)) return await chain.transactions.send(signed)
  const { webhooks } = store
  const watch = { keyId, chainId: chain.chainId, transactionHash: signed.hash }
  const isNew = await webhooks.watch({ ...watch, signedTransaction: signed.serialized })
  try {
    await chain.transactions.send(signed)
  } catch (error) {
    // Where it fails, a transaction that was not sent is followed in vain for a week.
    if (isRefused(error)) await (isNew && webhooks.unwatchUnsent(watch).catch(() => {}))
    else await webhooks.watchSent(watch).catch(() => {})
    throw error
  }
  // Where it fails, it is observed half a minute later.
  await webhooks.watchSent(watch).catch(() => {})
}

/** Whether an error says that the transaction is not sent. After a fault of a node it may be. */
function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && !/^svc\/(upstream|storage|internal)/.test(error.code)
}

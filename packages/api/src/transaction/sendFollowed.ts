import type { Chain } from '@agio/chain'
import { ServiceError, Errors } from '@agio/core'
import type { Hex } from 'viem'
import type { Context } from '../procedure/Context.ts'
import { toServiceError } from '../errors/toErrorBody.ts'

/**
 * Sends a signed transaction. If the key of the request has webhooks, the service first stores that they follow the
 * transaction. So its events are delivered even if this process ends afterwards.
 *
 * @throws the errors of `sendSigned`; `svc/storage-unavailable` before anything is sent
 */
export async function sendFollowed(
  { keyId, store, exchange }: Pick<Context, 'keyId' | 'store' | 'exchange'>,
  chain: Chain,
  signed: Awaited<ReturnType<Chain['transactions']['decodeSigned']>>,
): Promise<void> {
  if (keyId === undefined || !store.webhooks.followsTransactions(keyId)) return await chain.transactions.send(signed)
  const { webhooks } = store
  const watch = { keyId, chainId: chain.chainId, transactionHash: signed.hash }
  const traceparent = exchange.trace?.traceparent
  const isNew = await webhooks.follow({ ...watch, signedTransaction: signed.serialized, traceparent })
  try {
    await chain.transactions.send(signed)
  } catch (error) {
    // If this fails, a transaction that was not sent is followed for a week without effect.
    if (isRefused(error)) await (isNew && webhooks.unfollowUnsent(watch).catch(() => {}))
    else await webhooks.startObserving(watch).catch(() => {})
    throw error
  }
  // If this fails, the observation begins half a minute later.
  await webhooks.startObserving(watch).catch(() => {})
}

/** Returns whether an error means that the transaction was not sent. After a node failure, it may have been sent. */
function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && !/^svc\/(upstream|storage|internal)/.test(error.code)
}

/**
 * Returns the result of a broadcast. Adds the transaction's hash to a rejection, and to an error of the service or of its
 * nodes also a note that a repetition is safe. The transaction may already be sent or even mined.
 *
 * @throws the errors of `broadcast`, as a `ServiceError`
 */
export async function withTransactionHash<Result>(hash: Hex, broadcast: () => Promise<Result>): Promise<Result> {
  try {
    return await broadcast()
  } catch (thrown) {
    throw Errors.withTransactionHash(toServiceError(thrown), hash)
  }
}

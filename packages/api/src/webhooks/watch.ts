import type { Chain } from '@agio/chain'
import type { Hex } from 'viem'
import { z } from 'zod'
import { account, chainIdOrDefault, transactionHash } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { requireFields } from '../schema/requireFields.ts'
import { trackInput } from '../transaction/track.ts'
import { formatCursor } from '../transaction/trackingCursor.ts'
import { getChain, getKeyId } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { assertWebhooks } from './webhookRecord.ts'
import { toFollowedTransaction, followedTransaction } from './followedTransaction.ts'

const inputSchema = z.strictObject({
  chainId: chainIdOrDefault,
  transactionHash,
  from: account
    .optional()
    .meta({ description: 'Sender of the transaction, with `nonce`', example: localExamples.wallet }),
  nonce: trackInput.shape.nonce,
})

/** Follows a transaction that the service did not broadcast. */
export const watch = procedure
  .meta({
    scope: 'webhooks',
    openapi: rest('POST /api/v1/webhooks/watches', 'Webhooks', {
      operationId: 'watchTransaction',
      summary: 'Follow a transaction',
      description:
        'Delivers the events of a transaction to the webhooks of the API key, as for transactions that the key broadcasts. Send `from` and `nonce` unless a node has the transaction. Without them, a transaction that no node has is `svc/transaction-not-found`. A second call for the same transaction changes nothing. A key follows at most a thousand transactions at a time, besides the transactions that it broadcasts.',
    }),
    example: { transactionHash: localExamples.transactionHash, from: localExamples.wallet, nonce: 7 },
    errors: ['svc/transaction-not-found', 'svc/webhook-limit', 'svc/not-found'],
  })
  .input(inputSchema)
  .output(followedTransaction)
  .mutation(async ({ ctx, input }) => {
    assertWebhooks(ctx)
    const { chainId, transactionHash: hash } = input
    const cursor = await findCursor(getChain(ctx, chainId), hash, input)
    const traceparent = ctx.exchange.trace?.traceparent
    const registered = { keyId: getKeyId(ctx), chainId, transactionHash: hash, cursor, traceparent }
    return toFollowedTransaction(await ctx.store.webhooks.followRegistered(registered))
  })

/** Returns the known state of a transaction, from the request or else from a node. */
async function findCursor(chain: Chain, hash: Hex, input: z.output<typeof inputSchema>): Promise<string | undefined> {
  const { chainId } = chain
  if (input.from === undefined && input.nonce === undefined) {
    const { facts } = await chain.transactions.track({ hash, facts: undefined })
    return facts && formatCursor({ chainId, hash, facts: { ...facts, included: undefined } })
  }
  requireFields(input, ['from', 'nonce'])
  return formatCursor({ chainId, hash, facts: { from: input.from, nonce: input.nonce } })
}

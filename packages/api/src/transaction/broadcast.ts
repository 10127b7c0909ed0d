import { z } from 'zod'
import { chainIdOrDefault } from '../schema/fields.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { broadcastResult, signedTransaction, toBroadcastResult } from './broadcastResult.ts'
import { sendErrors } from '../errors/errorLists.ts'
import { sendFollowed, withTransactionHash } from './sendFollowed.ts'

/** Broadcasts a signed transaction, and waits for a limited time until it is mined. */
export const broadcast = procedure
  .meta({
    scope: 'broadcast',
    openapi: rest('POST /api/v1/transaction/broadcast', 'Transaction', {
      operationId: 'broadcastTransaction',
      summary: 'Broadcast a signed transaction',
      description:
        'Returns the mined transaction, or `pending` if it is not mined in time. The transaction hash is the idempotency key: broadcasting the same transaction again returns the same result. A rejection and an error with status 500 or above contain the hash as `transactionHash`. The transaction may be mined despite the error, and broadcasting it again is safe.',
    }),
    errors: sendErrors,
  })
  .input(z.strictObject({ chainId: chainIdOrDefault, signedTransaction }))
  .output(broadcastResult)
  .mutation(async ({ ctx, input }) => {
    const chain = getChain(ctx, input.chainId)
    const signed = await chain.transactions.decodeSigned(input.signedTransaction)
    return await withTransactionHash(signed.hash, async () => {
      await sendFollowed(ctx, chain, signed)
      return await toBroadcastResult(chain, signed.hash, await chain.transactions.waitForReceipt(signed))
    })
  })

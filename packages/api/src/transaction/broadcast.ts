import { z } from 'zod'
import { chainIdOrDefault, hexBytes } from '../schema/fields.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { broadcastResult, toBroadcastResult } from './broadcastResult.ts'
import { sendErrors } from './sendErrors.ts'

/** Sends a signed transaction and waits until it is mined, or for a while. */
export const broadcast = procedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/transaction/broadcast',
      tags: ['Transaction'],
      summary: 'Broadcast a signed transaction',
      description: 'The transaction hash is the idempotency key: sending the same transaction again answers the same.',
    },
    errors: sendErrors,
  })
  .input(z.strictObject({ chainId: chainIdOrDefault, signedTransaction: hexBytes }))
  .output(broadcastResult)
  .mutation(async ({ ctx, input }) => {
    const chain = getChain(ctx, input.chainId)
    const signed = await chain.decodeSigned(input.signedTransaction)
    await chain.send(signed)
    return await toBroadcastResult(chain, signed.hash, await chain.waitForReceipt(signed.hash))
  })

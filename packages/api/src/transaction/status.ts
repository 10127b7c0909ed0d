import { z } from 'zod'
import { chainIdOrDefault, integerText, transactionHash } from '../schema/fields.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { failure, toBroadcastResult } from './broadcastResult.ts'

/** Tells where a transaction stands. */
export const status = procedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/transaction/status',
      tags: ['Transaction'],
      summary: 'Where a transaction stands',
    },
    errors: ['svc/transaction-not-found'],
  })
  .input(z.strictObject({ chainId: chainIdOrDefault, transactionHash }))
  .output(
    z
      .object({
        status: z.enum(['pending', 'success', 'failed']),
        blockNumber: z.int().optional(),
        confirmations: z.int().optional(),
        gasUsed: integerText.optional(),
        failure: failure.optional(),
      })
      .meta({ id: 'TransactionStatus' }),
  )
  .query(async ({ ctx, input }) => {
    const chain = getChain(ctx, input.chainId)
    const found = await chain.readStatus(input.transactionHash)
    if (found.status === 'pending') return { status: found.status }
    const result = await toBroadcastResult(chain, input.transactionHash, found.receipt)
    const { transactionHash: _, ...rest } = result
    return { ...rest, confirmations: Number(found.confirmations) }
  })

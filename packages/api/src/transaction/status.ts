import { z } from 'zod'
import { chainIdOrDefault, transactionHash, wholeNumber } from '../schema/fields.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { failure, minedFields, toBroadcastResult, transactionStatus } from './broadcastResult.ts'

/** Returns the state of a transaction. */
export const status = procedure
  .meta({
    scope: 'read',
    openapi: rest('POST /api/v1/transaction/status', 'Transaction', {
      operationId: 'getTransactionStatus',
      summary: 'Get the state of a transaction',
      description:
        'Returns whether a transaction is pending, mined or failed, with its block, its confirmations and the reason of a failure.',
    }),
    errors: ['svc/transaction-not-found'],
  })
  .input(z.strictObject({ chainId: chainIdOrDefault, transactionHash }))
  .output(
    z
      .object({
        status: transactionStatus,
        ...minedFields,
        confirmations: wholeNumber
          .optional()
          .meta({ description: 'Number of confirmations, including its own block', example: 1 }),
        failure: failure.optional().describe('Why the transaction reverted, if it failed'),
      })
      .meta({ id: 'TransactionStatus', description: 'The state of a transaction' }),
  )
  .query(async ({ ctx, input }) => {
    const chain = getChain(ctx, input.chainId)
    const found = await chain.transactions.readStatus(input.transactionHash)
    if (found.status === 'pending') return { status: found.status }
    const result = await toBroadcastResult(chain, input.transactionHash, found.receipt)
    const { transactionHash: _, ...rest } = result
    return { ...rest, confirmations: Number(found.confirmations) }
  })

import { z } from 'zod'
import { integerInUrl } from '../schema/fields.ts'
import { getKeyId } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { toFollowedTransaction, followedTransaction } from './followedTransaction.ts'

/** Lists the transactions that the API key follows. */
export const watches = procedure
  .meta({
    scope: 'webhooks',
    openapi: rest('GET /api/v1/webhooks/watches', 'Webhooks', {
      operationId: 'listWatchedTransactions',
      summary: 'List the followed transactions',
      description:
        'Returns the newest transactions that the API key follows, including transactions that it broadcast. They are kept for a week after the end.',
    }),
  })
  .input(
    z
      .strictObject({
        limit: integerInUrl({ minimum: 1, maximum: 100 })
          .default(20)
          .meta({ description: 'Maximum number of transactions', example: 20 }),
      })
      .prefault({}),
  )
  .output(
    z
      .object({ watches: z.array(followedTransaction).describe('Followed transactions, newest first') })
      .meta({ id: 'WatchedTransactionList', description: 'The transactions that an API key follows' }),
  )
  .query(async ({ ctx, input: { limit } }) => ({
    watches: (await ctx.store.webhooks.listFollowed(getKeyId(ctx), limit)).map(toFollowedTransaction),
  }))

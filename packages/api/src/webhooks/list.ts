import { z } from 'zod'
import { getKeyId } from '../procedure/Context.ts'
import { procedure } from '../procedure/procedure.ts'
import { toWebhook, webhookRecord } from './webhookRecord.ts'

/** Lists the webhooks of the API key. */
export const list = procedure
  .meta({
    scope: 'webhooks',
    openapi: {
      method: 'GET',
      path: '/api/v1/webhooks',
      operationId: 'listWebhooks',
      tags: ['Webhooks'],
      summary: 'List the webhooks of the API key',
      description: 'Returns the webhooks of the API key without their secrets, newest first.',
    },
    errors: [],
  })
  .input(z.strictObject({}).optional())
  .output(
    z
      .object({ webhooks: z.array(webhookRecord).meta({ description: 'Webhooks of the key, newest first' }) })
      .meta({ id: 'WebhookList', description: 'The webhooks of an API key' }),
  )
  .query(async ({ ctx }) => ({ webhooks: (await ctx.store.webhooks.list(getKeyId(ctx))).map(toWebhook) }))

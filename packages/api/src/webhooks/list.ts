import { z } from 'zod'
import { getKeyId } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { toWebhook, webhookRecord } from './webhookRecord.ts'

/** Lists the webhooks of the API key. */
export const list = procedure
  .meta({
    scope: 'webhooks',
    openapi: rest('GET /api/v1/webhooks', 'Webhooks', {
      operationId: 'listWebhooks',
      summary: 'List the webhooks of the API key',
      description: 'Returns the webhooks of the API key without their secrets, newest first.',
    }),
  })
  .input(z.strictObject({}).optional())
  .output(
    z
      .object({ webhooks: z.array(webhookRecord).describe('Webhooks of the key, newest first') })
      .meta({ id: 'WebhookList', description: 'The webhooks of an API key' }),
  )
  .query(async ({ ctx }) => ({ webhooks: (await ctx.store.webhooks.list(getKeyId(ctx))).map(toWebhook) }))

import { z } from 'zod'
import { getKeyId } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { toWebhook, webhookId, webhookRecord } from './webhookRecord.ts'

/** Deletes a webhook. */
export const remove = procedure
  .meta({
    scope: 'webhooks',
    openapi: rest('POST /api/v1/webhooks/{id}/delete', 'Webhooks', {
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description:
        'Deletes a webhook with its deliveries. An attempt in progress may arrive within the next ten seconds.',
    }),
    errors: ['svc/webhook-not-found'],
  })
  .input(z.strictObject({ id: webhookId }))
  .output(webhookRecord)
  .mutation(async ({ ctx, input: { id } }) => toWebhook(await ctx.store.webhooks.remove(getKeyId(ctx), id)))

import { z } from 'zod'
import { wholeNumber } from '../schema/fields.ts'
import { getKeyId } from '../trpc/getKeyId.ts'
import { procedure } from '../trpc/procedure.ts'
import { webhookId } from './webhookRecord.ts'

/** Delivers again what was given up. */
export const replay = procedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/webhooks/{id}/replay',
      operationId: 'replayWebhookDeliveries',
      tags: ['Webhooks'],
      summary: 'Deliver events again',
      description:
        'Delivers one event again, or all that were given up, with their own `webhook-id`, and enables the webhook if it is disabled. Replayed events of one transaction arrive in order among themselves, but after events that were delivered meanwhile.',
    },
    errors: ['svc/webhook-not-found'],
  })
  .input(
    z.strictObject({
      id: webhookId,
      deliveryId: z
        .string()
        .regex(/^[\w-]{1,64}$/, 'It is not the id of a delivery')
        .optional()
        .meta({
          description: 'Id of one delivery, in any state; by default all that were given up',
          example: 'msg_0172b2dd6579153af3c0a1330997a04d',
        }),
    }),
  )
  .output(
    z
      .object({ replayed: wholeNumber.meta({ description: 'Number of events that are delivered again', example: 3 }) })
      .meta({ id: 'WebhookReplay', description: 'What is delivered again' }),
  )
  .mutation(async ({ ctx, input: { id, deliveryId } }) => ({
    replayed: await ctx.store.webhooks.replay(getKeyId(ctx), id, deliveryId),
  }))

import { z } from 'zod'
import { wholeNumber } from '../schema/fields.ts'
import { getKeyId } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { webhookId } from './webhookRecord.ts'

/** Redelivers events that were given up. */
export const replay = procedure
  .meta({
    scope: 'webhooks',
    openapi: rest('POST /api/v1/webhooks/{id}/replay', 'Webhooks', {
      operationId: 'replayWebhookDeliveries',
      summary: 'Deliver events again',
      description:
        'Redelivers one event, or all events that were given up, with their own `webhook-id`, and enables the webhook if it is disabled. Replayed events of one transaction arrive in order, but after events that were delivered meanwhile.',
    }),
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
          description: 'Id of one delivery, in any state. Default: all deliveries that were given up',
          example: 'msg_0172b2dd6579153af3c0a1330997a04d',
        }),
    }),
  )
  .output(
    z
      .object({ replayed: wholeNumber.meta({ description: 'Number of events to redeliver', example: 3 }) })
      .meta({ id: 'WebhookReplay', description: 'The result of a replay' }),
  )
  .mutation(async ({ ctx, input: { id, deliveryId } }) => {
    const options = { deliveryId, traceparent: ctx.exchange.trace?.traceparent }
    return { replayed: await ctx.store.webhooks.replay(getKeyId(ctx), id, options) }
  })

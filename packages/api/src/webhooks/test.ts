import { z } from 'zod'
import { getKeyId } from '../procedure/Context.ts'
import { procedure } from '../procedure/procedure.ts'
import { delivery, toDelivery } from './deliveries.ts'
import { formatEvent } from './events.ts'
import { assertWebhooks, webhookId } from './webhookRecord.ts'

const type = 'webhook.test'

/** Sends a test event to a webhook. */
export const test = procedure
  .meta({
    scope: 'webhooks',
    openapi: {
      method: 'POST',
      path: '/api/v1/webhooks/{id}/test',
      operationId: 'testWebhook',
      tags: ['Webhooks'],
      summary: 'Send a test event',
      description:
        'Sends a `webhook.test` event and returns its delivery. The webhook does not have to subscribe to it. The service signs, retries and lists the event like any other, and it never delays other events. If a test event is still pending, the service sends that event again at once. The test event of a disabled webhook is given up at once.',
    },
    errors: ['svc/webhook-not-found', 'svc/not-found'],
  })
  .input(z.strictObject({ id: webhookId }))
  .output(delivery)
  .mutation(async ({ ctx, input: { id } }) => {
    assertWebhooks(ctx)
    const payload = formatEvent({ type, data: { webhookId: id } }, ctx.now())
    const event = { type, payload, traceparent: ctx.exchange.trace?.traceparent }
    return toDelivery(await ctx.store.webhooks.sendTest(getKeyId(ctx), id, event))
  })

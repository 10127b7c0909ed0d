import type { DeliveryRecord } from '@agio/store'
import { z } from 'zod'
import { integerInUrl, timestamp, wholeNumber } from '../schema/fields.ts'
import { getKeyId } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { deliveredEvent, type DeliveredEventType } from './events.ts'
import { webhookId } from './webhookRecord.ts'

const timeExample = '2026-11-21T05:00:00.000Z'

/** The states of a delivery. */
export const deliveryStates = ['pending', 'delivered', 'given-up'] as const

const state = z.enum(deliveryStates).meta({
  description:
    '`pending` until the event is `delivered`, or `given-up` after the last attempt or when its webhook is disabled',
  example: 'given-up',
})

/** The delivery of an event, in a response. */
export const delivery = z
  .object({
    id: z.string().meta({
      description: '`webhook-id` of the message, the same in every attempt',
      example: 'msg_0172b2dd6579153af3c0a1330997a04d',
    }),
    position: wholeNumber.meta({ description: 'Position among the deliveries, for `before`', example: 1204 }),
    type: deliveredEvent,
    payload: z.string().meta({
      description: 'Body of the message, exactly as signed and sent',
      example: '{"type":"transaction.finalized","timestamp":"2026-11-21T05:00:00.000Z","data":{}}',
    }),
    status: state,
    attempts: wholeNumber.meta({ description: 'Attempts since the event was created or replayed', example: 10 }),
    createdAt: timestamp.meta({ description: 'Time of the event', example: timeExample }),
    lastAttemptAt: timestamp.optional().meta({ description: 'Time of the last attempt', example: timeExample }),
    lastStatus: wholeNumber
      .optional()
      .meta({ description: 'HTTP status of the last attempt. Absent without a response', example: 500 }),
    lastError: z.string().optional().meta({
      description:
        'Why the last attempt failed: `status-<HTTP status>`, `redirect`, `timeout`, `address-not-public`, `name-not-found`, `tls`, `connection`, or `disabled` if the webhook was disabled',
      example: 'status-500',
    }),
    nextAttemptAt: timestamp
      .optional()
      .meta({ description: 'Time from which a pending event is next sent', example: timeExample }),
  })
  .meta({ id: 'WebhookDelivery', description: 'The delivery of an event to a webhook' })

/** Lists the deliveries of a webhook. */
export const deliveries = procedure
  .meta({
    scope: 'webhooks',
    openapi: rest('GET /api/v1/webhooks/{id}/deliveries', 'Webhooks', {
      operationId: 'listWebhookDeliveries',
      summary: 'List the deliveries of a webhook',
      description:
        'Returns deliveries of a webhook, newest first. Delivered events are kept for 7 days, and given-up events for 30 days by default. `webhooks/{id}/replay` sends them again.',
    }),
    errors: ['svc/webhook-not-found'],
  })
  .input(
    z.strictObject({
      id: webhookId,
      status: state.optional().describe('Only deliveries in this state'),
      before: integerInUrl({ minimum: 1, maximum: 999_999_999_999_999 })
        .meta({ description: 'Only deliveries before this `position`, for the next page', example: 1204 })
        .optional(),
      limit: integerInUrl({ minimum: 1, maximum: 100 })
        .default(20)
        .meta({ description: 'Maximum number of deliveries', example: 20 }),
    }),
  )
  .output(
    z
      .object({ deliveries: z.array(delivery).describe('Deliveries, newest first') })
      .meta({ id: 'WebhookDeliveryList', description: 'Deliveries of a webhook' }),
  )
  .query(async ({ ctx, input: { id, status, before, limit } }) => {
    const found = await ctx.store.webhooks.listDeliveries(getKeyId(ctx), id, { status, before, limit })
    return { deliveries: found.map(toDelivery) }
  })

/** Returns a delivery in the form of a response, with times as text. */
export function toDelivery({
  type,
  createdAt,
  lastAttemptAt,
  lastStatus,
  lastError,
  nextAttemptAt,
  ...row
}: DeliveryRecord): z.input<typeof delivery> {
  return {
    ...row,
    type: type as DeliveredEventType,
    createdAt: createdAt.toISOString(),
    ...(lastAttemptAt && { lastAttemptAt: lastAttemptAt.toISOString() }),
    ...(lastStatus !== undefined && { lastStatus }),
    ...(lastError !== undefined && { lastError }),
    ...(nextAttemptAt && { nextAttemptAt: nextAttemptAt.toISOString() }),
  }
}

import { z } from 'zod'
import { getKeyId } from '../procedure/Context.ts'
import { idempotent } from '../procedure/idempotent.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { assertWebhooks, signatures, toWebhookWithSecret, webhookWithSecret } from './webhookRecord.ts'
import { transactionEvents, webhookEvent, webhookEvents } from './events.ts'
import { parseReceiverUrl } from './receiverUrl.ts'

/** Creates a webhook. */
export const create = procedure
  .meta({
    scope: 'webhooks',
    openapi: rest('POST /api/v1/webhooks', 'Webhooks', {
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Creates a webhook of the API key, and returns it with its secret, or with its public key. The webhook delivers the events of every transaction that the key broadcasts or registers, and market events if requested. Messages follow the Standard Webhooks specification. See `/docs/guide/webhooks`. A key can have at most ten webhooks.',
    }),
    isIdempotent: true,
    errors: ['svc/webhook-limit', 'svc/not-found'],
  })
  .input(
    z.strictObject({
      url: z
        .string()
        .max(2048)
        .regex(/^https?:[/][/]/, 'It is not an http or https URL')
        .meta({
          description:
            'URL of the receiver: https, at a public address, without credentials. Redirects are not followed',
          example: 'https://shop.example/webhooks',
        }),
      events: z
        .array(webhookEvent)
        .min(1)
        .max(webhookEvents.length)
        .default([...transactionEvents])
        .describe('Types of the events to deliver. Default: all transaction events'),
      signature: z.enum(signatures).default('v1').meta({
        description:
          'How messages are signed. `v1`: by a secret that you share with the service. `v1a`: by a private key of the service, so that you store only a public key',
        example: 'v1',
      }),
    }),
  )
  .output(webhookWithSecret)
  .mutation(
    idempotent(async ({ ctx, input }, finish) => {
      assertWebhooks(ctx)
      const url = parseReceiverUrl(input.url, ctx.webhookTargets)
      const webhook = { url, events: [...new Set(input.events)], signature: input.signature }
      const created = await ctx.store.webhooks.create(getKeyId(ctx), webhook, (tx, row) =>
        finish(tx, toWebhookWithSecret(row)),
      )
      return toWebhookWithSecret(created)
    }),
  )

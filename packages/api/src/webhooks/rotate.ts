import { z } from 'zod'
import { timestamp } from '../schema/fields.ts'
import { getKeyId } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { toWebhookWithSecret, webhookId, webhookWithSecret } from './webhookRecord.ts'

/** Creates a new secret for a webhook. */
export const rotate = procedure
  .meta({
    scope: 'webhooks',
    openapi: rest('POST /api/v1/webhooks/{id}/rotate', 'Webhooks', {
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook',
      description:
        'Returns the webhook with a new secret, or with a new public key. For a day, the replaced secret also signs, so that `webhook-signature` contains two signatures. A second rotation within that day ends the first secret.',
    }),
    errors: ['svc/webhook-not-found'],
  })
  .input(z.strictObject({ id: webhookId }))
  .output(
    webhookWithSecret
      .extend({
        oldSecretExpiresAt: timestamp.meta({
          description: 'Time from which the replaced secret no longer signs',
          example: '2026-11-22T05:00:00.000Z',
        }),
      })
      .meta({ id: 'RotatedWebhook', description: 'A webhook with its new secret or its new public key' }),
  )
  .mutation(async ({ ctx, input: { id } }) => {
    const { oldSecretExpiresAt, ...rotated } = await ctx.store.webhooks.rotate(getKeyId(ctx), id)
    return { ...toWebhookWithSecret(rotated), oldSecretExpiresAt: oldSecretExpiresAt.toISOString() }
  })

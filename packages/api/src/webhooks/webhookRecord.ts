import type { WebhookRecord } from '@agio/store'
import { z } from 'zod'
import { Errors } from '@agio/core'
import { timestamp } from '../schema/fields.ts'
import { webhookEvent, type WebhookEventType } from './events.ts'
import type { Context } from '../procedure/Context.ts'

const timeExample = '2026-11-21T05:00:00.000Z'

/** The id of a webhook, in a request. */
export const webhookId = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'It is not the id of a webhook')
  .meta({ description: 'Id of the webhook', example: 'wh_5Qm3xU8nW2aB' })

/** How the messages of a webhook are signed. */
export const signatures = ['v1', 'v1a'] as const

/** The reasons why a webhook is disabled. */
export const disabledReasons = ['gone', 'failing'] as const

/** A webhook in a response, without its secret. */
export const webhookRecord = z
  .object({
    id: z.string().meta({ description: 'Id of the webhook', example: 'wh_5Qm3xU8nW2aB' }),
    url: z.string().meta({ description: 'URL of the receiver', example: 'https://shop.example/webhooks' }),
    events: z.array(webhookEvent).describe('Types of the events that are delivered'),
    createdAt: timestamp.meta({ description: 'Time at which the webhook was created', example: timeExample }),
    signature: z
      .enum(signatures)
      .describe('`v1`: HMAC-SHA256 by a shared secret. `v1a`: ed25519 by a private key of the service'),
    publicKey: z.string().optional().meta({
      description: 'Public key that verifies the messages. Present with the signature `v1a`',
      example: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    }),
    failingSince: timestamp.optional().meta({
      description: 'Time of the first failed attempt since the last success. Absent if the last attempt succeeded',
      example: timeExample,
    }),
    disabledAt: timestamp
      .optional()
      .meta({ description: 'Time at which the webhook was disabled. Absent if it is enabled', example: timeExample }),
    disabledReason: z.enum(disabledReasons).optional().meta({
      description: '`gone`: the receiver answered 410. `failing`: no attempt succeeded for three days',
      example: 'failing',
    }),
  })
  .meta({ id: 'Webhook', description: 'A webhook, without its secret' })

/** A webhook with its secret. */
export const webhookWithSecret = webhookRecord
  .extend({
    secret: z.string().optional().meta({
      description: 'Secret that signs the messages. Only this response contains it. Present with the signature `v1`',
      example: 'whsec_4GaPXKvToNsNhb7Ezqb24Mew7f24gts4OriR0/KqDzI=',
    }),
  })
  .meta({ id: 'IssuedWebhook', description: 'A webhook with its secret or its public key' })

/** Returns a webhook in the form of a response, with times as text. */
export function toWebhook({ id, url, events, createdAt, publicKey, failingSince, disabled }: WebhookRecord) {
  return {
    id,
    url,
    events: events as WebhookEventType[],
    createdAt: createdAt.toISOString(),
    signature: publicKey === undefined ? 'v1' : 'v1a',
    ...(publicKey !== undefined && { publicKey }),
    ...(failingSince && { failingSince: failingSince.toISOString() }),
    ...(disabled && { disabledAt: disabled.at.toISOString(), disabledReason: disabled.reason }),
  } satisfies z.input<typeof webhookRecord>
}

/** Returns a webhook with its secret in the form of a response. A private key does not leave the service. */
export function toWebhookWithSecret({ secret, ...record }: WebhookRecord & { readonly secret: string }) {
  return { ...toWebhook(record), ...(record.publicKey === undefined && { secret }) }
}

/** Asserts that the service delivers webhooks. @throws `svc/not-found` */
export function assertWebhooks({ webhookTargets }: Pick<Context, 'webhookTargets'>): void {
  if (webhookTargets !== 'off') return
  throw Errors.notFound({ action: 'use webhooks', reason: 'this service does not deliver them' })
}

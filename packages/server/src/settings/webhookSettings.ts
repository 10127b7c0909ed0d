import { z } from 'zod'
import { defineSettings } from './defineSettings.ts'
import { days, list, milliseconds, seconds } from './settingSchemas.ts'

/** The default of `WEBHOOK_DELIVERY_DAYS` in a process that delivers. */
export const defaultDeliveryDays = 30

/** The settings of webhooks. */
export const webhookSettings = defineSettings({
  webhookTargets: {
    env: 'WEBHOOKS',
    schema: z.enum(['public', 'local', 'off']),
    default: 'public',
    group: 'webhooks',
    help: 'Allowed webhook receivers. public: public addresses over https. local: local addresses too. off: no webhooks',
  },
  webhookRetrySeconds: {
    env: 'WEBHOOK_RETRY_SECONDS',
    schema: list.pipe(z.array(seconds).max(20)).transform((delays): readonly number[] => delays),
    // From the Standard Webhooks specification.
    default: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    group: 'webhooks',
    help: 'Delays between the attempts of a webhook delivery, comma-separated. At most 20',
  },
  deliveryDays: {
    env: 'WEBHOOK_DELIVERY_DAYS',
    schema: days,
    defaultText: `${defaultDeliveryDays}, or without end with WEBHOOKS=off`,
    group: 'webhooks',
    help: 'Days for which ended webhook deliveries are kept. Use the same value in all processes. Successful ones are kept for at most 7 days',
  },
  webhookTimeoutMs: {
    env: 'WEBHOOK_TIMEOUT_MS',
    schema: milliseconds.pipe(z.int().min(1).max(60_000)),
    default: 10_000,
    group: 'webhooks',
    help: 'Time limit of one webhook delivery attempt. At most 60000',
  },
})

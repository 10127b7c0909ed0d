import { ServiceError } from '@agio/core'
import type { Context } from '../trpc/Context.ts'

/** Asserts that the service delivers webhooks. @throws `svc/not-found` */
export function assertWebhooks({ webhookTargets }: Pick<Context, 'webhookTargets'>): void {
  if (webhookTargets !== 'off') return
  throw new ServiceError('svc/not-found', 'Cannot use webhooks: this service does not deliver them', {})
}

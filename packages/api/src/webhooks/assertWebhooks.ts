import { Errors } from '@agio/core'
import type { Context } from '../procedure/Context.ts'

/** Asserts that the service delivers webhooks. @throws `svc/not-found` */
export function assertWebhooks({ webhookTargets }: Pick<Context, 'webhookTargets'>): void {
  if (webhookTargets !== 'off') return
  throw Errors.notFound({ action: 'use webhooks', reason: 'this service does not deliver them' })
}

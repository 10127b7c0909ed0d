import { Errors } from '@agio/core'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { webhookDeliveries, webhooks } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import { lockWebhook, touchKey } from './createWebhooks.ts'
import type { DeliveryRecord, DeliveryStatus } from './Webhook.ts'

/**
 * Creates functions that list and replay the deliveries of webhooks.
 *
 * @param refresh reads the enabled webhooks again. It is called after each change, and does not reject
 */
export function createDeliveryHistory(
  { db, transact }: Pick<Database, 'db' | 'transact'>,
  refresh: () => Promise<void>,
): DeliveryHistory {
  return {
    async listDeliveries(keyId, id, { status, before, limit }) {
      await assertWebhook(db, keyId, id).catch(throwStorageError)
      const isListed = and(
        eq(webhookDeliveries.webhookId, id),
        status && eq(webhookDeliveries.status, status),
        before === undefined ? undefined : lt(webhookDeliveries.position, before),
      )
      const rows = db
        .select()
        .from(webhookDeliveries)
        .where(isListed)
        .orderBy(desc(webhookDeliveries.position))
        .limit(limit)
      return (await rows.catch(throwStorageError)).map(toDelivery)
    },
    async replay(keyId, id, deliveryId) {
      const replayed = await transact(async (tx) => {
        await lockWebhook(tx, keyId, id)
        const count = await replayDeliveries(tx, id, deliveryId)
        await enable(tx, id)
        await touchKey(tx, keyId)
        return count
      }).catch(throwStorageError)
      await refresh()
      return replayed
    },
  }
}

/** The deliveries of webhooks. Every method throws `svc/storage-unavailable` if the database cannot be reached. */
export type DeliveryHistory = {
  /** Returns deliveries of a webhook, newest first, before a position. @throws `svc/webhook-not-found` */
  listDeliveries(keyId: string, id: string, page: DeliveryPage): Promise<readonly DeliveryRecord[]>
  /**
   * Schedules one event, or all events that were given up, for delivery again. Enables the webhook if it is disabled.
   *
   * @returns the number of events to redeliver
   * @throws `svc/webhook-not-found`
   */
  replay(keyId: string, id: string, deliveryId: string | undefined): Promise<number>
}

type DeliveryPage = {
  readonly status: DeliveryStatus | undefined
  readonly before: number | undefined
  readonly limit: number
}

type Db = Database['db']

async function assertWebhook(db: Db, keyId: string, id: string): Promise<void> {
  const isWebhook = and(eq(webhooks.id, id), eq(webhooks.keyId, keyId))
  const found = await db.select({ id: webhooks.id }).from(webhooks).where(isWebhook)
  if (found.length === 0) throw Errors.webhookNotFound({ kind: 'webhook', id })
}

async function replayDeliveries(tx: Db, webhookId: string, deliveryId: string | undefined): Promise<number> {
  const isReplayed = and(
    eq(webhookDeliveries.webhookId, webhookId),
    deliveryId === undefined ? eq(webhookDeliveries.status, 'given-up') : eq(webhookDeliveries.id, deliveryId),
  )
  const replayed = await tx
    .update(webhookDeliveries)
    .set({ status: 'pending', attempts: 0, dueAt: sql`now()`, endedAt: null, leaseOwner: null, leaseUntil: null })
    .where(isReplayed)
    .returning({ id: webhookDeliveries.id })
  if (deliveryId !== undefined && replayed.length === 0)
    throw Errors.webhookNotFound({ kind: 'delivery', id: deliveryId })
  return replayed.length
}

async function enable(tx: Db, id: string): Promise<void> {
  const enabled = { disabledAt: null, disabledReason: null, failingSince: null }
  await tx.update(webhooks).set(enabled).where(eq(webhooks.id, id))
}

function toDelivery(row: typeof webhookDeliveries.$inferSelect): DeliveryRecord {
  const { id, position, type, payload, status, attempts, createdAt, dueAt } = row
  return {
    id,
    position,
    type,
    payload,
    status,
    attempts,
    createdAt,
    lastAttemptAt: row.lastAttemptAt ?? undefined,
    lastStatus: row.lastStatus ?? undefined,
    lastError: row.lastError ?? undefined,
    nextAttemptAt: status === 'pending' ? dueAt : undefined,
  }
}

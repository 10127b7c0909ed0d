import { randomUUID } from 'node:crypto'
import { Errors } from '@agio/core'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { webhookDeliveries, webhooks } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import { lockWebhook, touchKey } from './createWebhooks.ts'
import { testSubject } from './createDeliveryQueue.ts'
import type { Cause, DeliveryRecord, DeliveryStatus, WebhookEvent } from './Webhook.ts'

/**
 * Creates functions that list and replay the deliveries of webhooks, and send test events.
 *
 * @param refresh reads the enabled webhooks again. It is called after each change, and does not reject
 */
export function createDeliveryHistory(
  { db, transact }: Pick<Database, 'db' | 'transact'>,
  refresh: () => Promise<void>,
) {
  return {
    /** Returns deliveries of a webhook, newest first, before a position. @throws `svc/webhook-not-found` */
    async listDeliveries(keyId: string, id: string, { status, before, limit }: DeliveryPage) {
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
    /**
     * Schedules one event, or all events that were given up, for delivery again. Enables the webhook if it is disabled.
     *
     * @returns the number of events to redeliver
     * @throws `svc/webhook-not-found`
     */
    async replay(keyId: string, id: string, options: ReplayOptions): Promise<number> {
      const replayed = await transact(async (tx) => {
        await lockWebhook(tx, keyId, id)
        const count = await replayDeliveries(tx, id, options)
        await enable(tx, id)
        await touchKey(tx, keyId)
        return count
      }).catch(throwStorageError)
      await refresh()
      return replayed
    },
    /**
     * Queues a test event for a webhook, or makes its pending test event due. The test event of a disabled webhook is given up at
     * once.
     *
     * @throws `svc/webhook-not-found`
     */
    async sendTest(keyId: string, id: string, event: TestEvent): Promise<DeliveryRecord> {
      const sent = await transact(async (tx) => {
        await lockWebhook(tx, keyId, id)
        return (await retryTest(tx, id)) ?? (await insertTest(tx, id, event))
      }).catch(throwStorageError)
      return toDelivery(sent)
    },
  }
}

type ReplayOptions = Cause & {
  /** The event to redeliver. Default: all events that were given up. */
  readonly deliveryId?: string | undefined
}

type TestEvent = WebhookEvent & Cause

type DeliveryPage = {
  readonly status: DeliveryStatus | undefined
  readonly before: number | undefined
  readonly limit: number
}

type Db = Database['db']

type DeliveryRow = typeof webhookDeliveries.$inferSelect

async function assertWebhook(db: Db, keyId: string, id: string): Promise<void> {
  const isWebhook = and(eq(webhooks.id, id), eq(webhooks.keyId, keyId))
  const found = await db.select({ id: webhooks.id }).from(webhooks).where(isWebhook)
  if (found.length === 0) throw Errors.webhookNotFound({ kind: 'webhook', id })
}

async function replayDeliveries(
  tx: Db,
  webhookId: string,
  { deliveryId, traceparent }: ReplayOptions,
): Promise<number> {
  const isReplayed = and(
    eq(webhookDeliveries.webhookId, webhookId),
    deliveryId === undefined ? eq(webhookDeliveries.status, 'given-up') : eq(webhookDeliveries.id, deliveryId),
  )
  const rows = await tx
    .update(webhookDeliveries)
    .set({ ...replayed, traceparent: traceparent ?? null, dueAt: sql`now()` })
    .where(isReplayed)
    .returning({ id: webhookDeliveries.id })
  if (deliveryId !== undefined && rows.length === 0) throw Errors.webhookNotFound({ kind: 'delivery', id: deliveryId })
  return rows.length
}

const replayed = { status: 'pending', attempts: 0, endedAt: null, leaseOwner: null, leaseUntil: null } as const

// At most one is pending, so test events take few of the attempts that run at the same time.
async function retryTest(tx: Db, webhookId: string): Promise<DeliveryRow | undefined> {
  const isPendingTest = and(
    eq(webhookDeliveries.webhookId, webhookId),
    eq(webhookDeliveries.subject, testSubject),
    eq(webhookDeliveries.status, 'pending'),
  )
  const due = { dueAt: sql`least(${webhookDeliveries.dueAt}, now())` }
  const [row] = await tx.update(webhookDeliveries).set(due).where(isPendingTest).returning()
  return row
}

async function insertTest(tx: Db, webhookId: string, event: TestEvent): Promise<DeliveryRow> {
  const [webhook] = await tx.select().from(webhooks).where(eq(webhooks.id, webhookId))
  const given = webhook?.disabledAt && { status: 'given-up' as const, endedAt: sql`now()`, lastError: 'disabled' }
  const id = `msg_${randomUUID().replaceAll('-', '')}`
  const row = { id, webhookId, subject: testSubject, ...event, ...given }
  const [inserted] = await tx.insert(webhookDeliveries).values(row).returning()
  if (!inserted) throw new Error('Cannot write the test event: the database returned no row')
  return inserted
}

async function enable(tx: Db, id: string): Promise<void> {
  const enabled = { disabledAt: null, disabledReason: null, failingSince: null }
  await tx.update(webhooks).set(enabled).where(eq(webhooks.id, id))
}

function toDelivery(row: DeliveryRow): DeliveryRecord {
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

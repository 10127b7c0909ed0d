import { and, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { batchSize, changeInBatches } from '../database/changeInBatches.ts'
import { apiKeys, followedTransactions, webhookDeliveries, webhooks } from '../database/schema.ts'

/**
 * Gives up the deliveries of disabled webhooks, and deletes old rows that have ended, in bounded batches. Delivered messages
 * are kept for at most a week.
 */
export async function deleteEndedWebhookRows(db: Database['db'], options: Options): Promise<void> {
  await giveUpStray(db, options.signal)
  await deleteEnded(db, options)
  await deleteOfEnded(db)
}

type Options = {
  /** Days for which ended deliveries are kept. If undefined, given-up deliveries are kept. */
  readonly deliveryDays: number | undefined
  /** Ends the work after the current batch. */
  readonly signal: AbortSignal | undefined
}

/** Gives up deliveries that were recorded while their webhook was disabled. */
async function giveUpStray(db: Database['db'], signal: AbortSignal | undefined): Promise<void> {
  const { id, status, webhookId } = webhookDeliveries
  const disabled = db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(sql`${webhooks.disabledAt} is not null`)
  // Of several processes, each gives up other rows.
  const stray = db
    .select({ id })
    .from(webhookDeliveries)
    .where(and(eq(status, 'pending'), inArray(webhookId, disabled)))
    .limit(batchSize)
    .for('update', { skipLocked: true })
  await changeInBatches(
    () =>
      db
        .update(webhookDeliveries)
        .set({ status: 'given-up', endedAt: sql`now()`, lastError: 'disabled' })
        .where(inArray(id, stray))
        .returning({ id }),
    signal,
  )
}

async function deleteEnded(db: Database['db'], { deliveryDays, signal }: Options): Promise<void> {
  const { id, endedAt, status } = webhookDeliveries
  const deliveries = db.select({ id }).from(webhookDeliveries)
  const weekOld = sql`${endedAt} < now() - interval '7 days' and ${status} = 'delivered'`
  const isExpired = deliveryDays === undefined ? [] : [sql`${endedAt} < now() - ${deliveryDays} * interval '1 day'`]
  for (const isOld of [weekOld, ...isExpired]) {
    await changeInBatches(
      () =>
        db
          .delete(webhookDeliveries)
          .where(inArray(id, deliveries.where(isOld).limit(batchSize)))
          .returning({ id }),
      signal,
    )
  }
  // Transactions of a key without webhooks are not observed. Their rows are deleted by age.
  for (const isOld of [sql`ended_at < now() - interval '7 days'`, sql`created_at < now() - interval '30 days'`]) {
    const old = sql`select key_id, chain_id, transaction_hash from ${followedTransactions} where ${isOld} limit ${batchSize}`
    const isDeleted = sql`(key_id, chain_id, transaction_hash) in (${old})`
    const { transactionHash } = followedTransactions
    await changeInBatches(() => db.delete(followedTransactions).where(isDeleted).returning({ transactionHash }), signal)
  }
}

/** Deletes the webhooks and followed transactions of keys that were revoked or expired a month ago. */
async function deleteOfEnded(db: Database['db']): Promise<void> {
  const monthAgo = sql`now() - interval '30 days'`
  const ended = db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(or(lt(apiKeys.revokedAt, monthAgo), lt(apiKeys.expiresAt, monthAgo)))
  const old = db.select({ id: webhooks.id }).from(webhooks).where(inArray(webhooks.keyId, ended)).limit(10)
  await db.delete(webhooks).where(inArray(webhooks.id, old))
  const transactions = sql`
    select key_id, chain_id, transaction_hash from ${followedTransactions} where key_id in (${ended}) limit ${batchSize}`
  await db.delete(followedTransactions).where(sql`(key_id, chain_id, transaction_hash) in (${transactions})`)
}

import { randomBytes } from 'node:crypto'
import { Errors, TransactionState } from '@agio/core'
import { and, count, desc, eq, gt, isNull, lt, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '../database/Database.ts'
import { apiKeys, webhookDeliveries, webhooks, webhookWatches } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import { createSubscribers, type Subscribers } from './createSubscribers.ts'
import type { DeliveryRecord, DeliveryStatus, NewWatch, TransactionKey, WatchRecord, WebhookRecord } from './Webhook.ts'

const maxWebhooks = 10
const maxWatches = 1000
const oldSecretSigns = sql.raw("interval '1 day'")
// Longer than a broadcast takes. After this time, the transaction of a killed process is observed too.
const sendingTakes = sql.raw("interval '30 seconds'")

/** Creates the access to the webhooks of keys, their followed transactions and their deliveries. */
export function createWebhooks({ db, transact }: Pick<Database, 'db' | 'transact'>): Webhooks {
  const subscribers = createSubscribers(db)
  // If this read fails, the next poll reads the change.
  const refresh = () => subscribers.refresh().catch(() => {})
  return {
    ...subscribers,
    async create(keyId, { url, events }) {
      const created = await transact(async (tx) => {
        await lockKey(tx, keyId)
        const [own] = await tx.select({ webhooks: count() }).from(webhooks).where(eq(webhooks.keyId, keyId))
        if ((own?.webhooks ?? 0) >= maxWebhooks) throw Errors.webhookLimit({ count: maxWebhooks, kind: 'webhooks' })
        const id = `wh_${randomBytes(9).toString('base64url')}`
        return await tx.insert(webhooks).values({ id, keyId, url, events, secret: drawnSecret }).returning()
      }).catch(throwStorageError)
      await refresh()
      return toIssued(created[0])
    },
    async list(keyId) {
      const rows = db.select().from(webhooks).where(eq(webhooks.keyId, keyId)).orderBy(desc(webhooks.createdAt))
      return (await rows.catch(throwStorageError)).map(toRecord)
    },
    async remove(keyId, id) {
      const removed = await transact(async (tx) => {
        await lockWebhook(tx, keyId, id)
        return await tx.delete(webhooks).where(eq(webhooks.id, id)).returning()
      }).catch(throwStorageError)
      await refresh()
      return toRecord(removed[0] as WebhookRow)
    },
    async rotate(keyId, id) {
      const rotated = await transact(async (tx) => {
        await lockWebhook(tx, keyId, id)
        const old = { oldSecret: webhooks.secret, oldSecretExpiresAt: sql`now() + ${oldSecretSigns}` }
        return await tx
          .update(webhooks)
          .set({ ...old, secret: drawnSecret })
          .where(eq(webhooks.id, id))
          .returning()
      }).catch(throwStorageError)
      const { oldSecretExpiresAt, ...issued } = toIssued(rotated[0])
      return { ...issued, oldSecretExpiresAt: oldSecretExpiresAt ?? new Date() }
    },
    async listDeliveries(keyId, id, { status, before, limit }) {
      await getWebhook(db, keyId, id).catch(throwStorageError)
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
        return count
      }).catch(throwStorageError)
      await refresh()
      return replayed
    },
    async watch(watch) {
      const [row] = await upsertWatch(db, watch).catch(throwStorageError)
      return row?.isNew === true
    },
    async watchOwn(watch) {
      await transact(async (tx) => {
        await lockKey(tx, watch.keyId)
        const { keyId, isRegistered, endedAt } = webhookWatches
        const known = await tx.select({ endedAt }).from(webhookWatches).where(isWatch(watch))
        if (known.length > 0) return
        const isOpen = and(eq(keyId, watch.keyId), isRegistered, isNull(endedAt))
        const [open] = await tx.select({ watches: count() }).from(webhookWatches).where(isOpen)
        if ((open?.watches ?? 0) >= maxWatches)
          throw Errors.webhookLimit({ count: maxWatches, kind: 'followed transactions' })
        await tx
          .insert(webhookWatches)
          .values({ ...watch, isRegistered: true })
          .onConflictDoNothing()
      }).catch(throwStorageError)
      const [found] = await db.select().from(webhookWatches).where(isWatch(watch)).catch(throwStorageError)
      return toWatch(found as typeof webhookWatches.$inferSelect)
    },
    async watchSent(watch) {
      const isHeld = and(isWatch(watch), gt(webhookWatches.dueAt, sql`now()`))
      await db
        .update(webhookWatches)
        .set({ dueAt: sql`now()` })
        .where(isHeld)
        .catch(throwStorageError)
    },
    async unwatchUnsent(watch) {
      // Another broadcast of the transaction has raised the version, and may have sent it.
      const isUnseen = and(isWatch(watch), isNull(webhookWatches.status), eq(webhookWatches.version, 0))
      await db.delete(webhookWatches).where(isUnseen).catch(throwStorageError)
    },
    async listWatches(keyId, limit) {
      const rows = db
        .select()
        .from(webhookWatches)
        .where(eq(webhookWatches.keyId, keyId))
        .orderBy(desc(webhookWatches.createdAt))
        .limit(limit)
      return (await rows.catch(throwStorageError)).map(toWatch)
    },
  }
}

/** The webhooks. Every method that uses the database throws `svc/storage-unavailable` if it cannot be reached. */
export type Webhooks = Subscribers & {
  /** Creates a webhook with a new secret. @throws `svc/webhook-limit` if the key has ten webhooks */
  create(keyId: string, webhook: Pick<WebhookRecord, 'url' | 'events'>): Promise<IssuedWebhook>
  /** Returns the webhooks of a key, newest first. */
  list(keyId: string): Promise<readonly WebhookRecord[]>
  /** Deletes a webhook and its deliveries. @throws `svc/webhook-not-found` */
  remove(keyId: string, id: string): Promise<WebhookRecord>
  /** Replaces the secret of a webhook. The old secret also signs for another day. @throws `svc/webhook-not-found` */
  rotate(keyId: string, id: string): Promise<IssuedWebhook & { readonly oldSecretExpiresAt: Date }>
  /** Returns deliveries of a webhook, newest first, before a position. @throws `svc/webhook-not-found` */
  listDeliveries(keyId: string, id: string, page: DeliveryPage): Promise<readonly DeliveryRecord[]>
  /**
   * Redelivers one event, or all events that were given up, and enables a disabled webhook.
   *
   * @returns the number of events to redeliver
   * @throws `svc/webhook-not-found`
   */
  replay(keyId: string, id: string, deliveryId: string | undefined): Promise<number>
  /**
   * Follows a transaction that a key is about to broadcast. Returns whether the transaction is newly followed.
   * Observation begins at `watchSent`, so that a transaction that a node refuses is never observed, or after half a
   * minute.
   */
  watch(watch: NewWatch): Promise<boolean>
  /**
   * Follows a transaction that a key registers.
   *
   * @throws `svc/webhook-limit` if the key has registered a thousand transactions that have not ended
   */
  watchOwn(watch: NewWatch): Promise<WatchRecord>
  /** Starts the observation of a transaction that has been sent. */
  watchSent(watch: TransactionKey): Promise<void>
  /** Stops following a transaction that was refused before it was sent, unless it has been observed. */
  unwatchUnsent(watch: TransactionKey): Promise<void>
  /** Returns the newest transactions that a key follows or followed. */
  listWatches(keyId: string, limit: number): Promise<readonly WatchRecord[]>
}

/** A webhook with its secret. */
type IssuedWebhook = WebhookRecord & { readonly secret: string }

type DeliveryPage = {
  readonly status: DeliveryStatus | undefined
  readonly before: number | undefined
  readonly limit: number
}

type Db = Database['db']

type WebhookRow = typeof webhooks.$inferSelect

// Generated by the database, so that no statement contains a secret: statements appear in logs and errors.
const drawnSecret = sql`'whsec_' || encode(sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid(), gen_random_uuid()), 'UTF8')), 'base64')`

// Serializes concurrent calls, so that each counts the rows of the previous call.
async function lockKey(tx: Db, keyId: string): Promise<void> {
  await tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, keyId)).for('no key update')
}

// A statement that changes several deliveries of a webhook first locks the webhook, so that two statements cannot
// deadlock.
async function lockWebhook(tx: Db, keyId: string, id: string): Promise<void> {
  const isOwn = and(eq(webhooks.id, id), eq(webhooks.keyId, keyId))
  const found = await tx.select({ id: webhooks.id }).from(webhooks).where(isOwn).for('update')
  if (found.length === 0) throw Errors.webhookNotFound({ kind: 'webhook', id })
}

async function getWebhook(db: Db, keyId: string, id: string): Promise<void> {
  const isOwn = and(eq(webhooks.id, id), eq(webhooks.keyId, keyId))
  const found = await db.select({ id: webhooks.id }).from(webhooks).where(isOwn)
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

/** Follows a broadcast transaction. Starts again if it has ended, or if it was registered and never seen. */
function upsertWatch(db: Db, watch: NewWatch) {
  const known = webhookWatches
  const sentBy = sql`now() + ${sendingTakes}`
  const isAnew = sql`(${known.endedAt} is not null or ${known.status} is null)`
  const anew = (value: SQL, kept: SQL | AnyPgColumn) => sql`case when ${isAnew} then ${value} else ${kept} end`
  return db
    .insert(webhookWatches)
    .values({ ...watch, dueAt: sentBy })
    .onConflictDoUpdate({
      target: [known.keyId, known.chainId, known.transactionHash],
      set: {
        version: sql`${known.version} + 1`,
        signedTransaction: anew(sql`excluded.signed_transaction`, known.signedTransaction),
        cursor: anew(sql`excluded.cursor`, known.cursor),
        status: anew(sql`null`, known.status),
        createdAt: anew(sql`now()`, known.createdAt),
        dueAt: anew(sentBy, sql`now()`),
        endedAt: sql`null`,
        checkedHead: sql`null`,
        checkedNumber: sql`null`,
      },
    })
    .returning({ isNew: sql<boolean>`(xmax = 0)` })
}

function isWatch({ keyId, chainId, transactionHash }: TransactionKey) {
  return and(
    eq(webhookWatches.keyId, keyId),
    eq(webhookWatches.chainId, chainId),
    eq(webhookWatches.transactionHash, transactionHash),
  )
}

function toIssued(row: WebhookRow | undefined) {
  if (!row) throw new Error('Cannot write the webhook: the database returned no row')
  return { ...toRecord(row), secret: row.secret, oldSecretExpiresAt: row.oldSecretExpiresAt ?? undefined }
}

function toRecord({ id, url, events, createdAt, failingSince, disabledAt, disabledReason }: WebhookRow): WebhookRecord {
  const disabled = disabledAt && disabledReason ? { at: disabledAt, reason: disabledReason } : undefined
  return { id, url, events, createdAt, failingSince: failingSince ?? undefined, disabled }
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

function toWatch({ chainId, transactionHash, status, createdAt, endedAt }: typeof webhookWatches.$inferSelect) {
  const state = TransactionState.parse(status ?? '')
  return { chainId, transactionHash, state, createdAt, endedAt: endedAt ?? undefined }
}

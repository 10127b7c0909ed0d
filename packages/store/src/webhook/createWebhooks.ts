import { randomBytes } from 'node:crypto'
import { Errors } from '@agio/core'
import { and, count, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { apiKeys, webhooks } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import type { WebhookRecord } from './Webhook.ts'

const maxWebhooks = 10
const oldSecretSigns = sql.raw("interval '1 day'")

/**
 * Creates functions that create, list and remove the webhooks of keys, and rotate their secrets.
 *
 * @param refresh reads the webhooks again. It is called after each change, and does not reject
 */
export function createWebhooks(
  { db, transact }: Pick<Database, 'db' | 'transact'>,
  refresh: () => Promise<void>,
): Webhooks {
  return {
    async create(keyId, { url, events }) {
      const created = await transact(async (tx) => {
        await lockKey(tx, keyId)
        const [own] = await tx.select({ webhooks: count() }).from(webhooks).where(eq(webhooks.keyId, keyId))
        if ((own?.webhooks ?? 0) >= maxWebhooks) throw Errors.webhookLimit({ count: maxWebhooks, kind: 'webhooks' })
        const id = `wh_${randomBytes(9).toString('base64url')}`
        return await tx.insert(webhooks).values({ id, keyId, url, events, secret: drawnSecret }).returning()
      }).catch(throwStorageError)
      await refresh()
      return toCreated(created[0])
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
      const { oldSecretExpiresAt, ...issued } = toCreated(rotated[0])
      return { ...issued, oldSecretExpiresAt: oldSecretExpiresAt ?? new Date() }
    },
  }
}

/** The webhooks of keys. Every method throws `svc/storage-unavailable` if the database cannot be reached. */
export type Webhooks = {
  /** Creates a webhook with a new secret. @throws `svc/webhook-limit` if the key has ten webhooks */
  create(keyId: string, webhook: Pick<WebhookRecord, 'url' | 'events'>): Promise<CreatedWebhook>
  /** Returns the webhooks of a key, newest first. */
  list(keyId: string): Promise<readonly WebhookRecord[]>
  /** Deletes a webhook and its deliveries. @throws `svc/webhook-not-found` */
  remove(keyId: string, id: string): Promise<WebhookRecord>
  /** Replaces the secret of a webhook. The old secret also signs for another day. @throws `svc/webhook-not-found` */
  rotate(keyId: string, id: string): Promise<CreatedWebhook & { readonly oldSecretExpiresAt: Date }>
}

/** A webhook with its secret. */
type CreatedWebhook = WebhookRecord & { readonly secret: string }

type Db = Database['db']

type WebhookRow = typeof webhooks.$inferSelect

// The database generates the secret, because statements appear in logs and errors and must not contain a secret.
const drawnSecret = sql`'whsec_' || encode(sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid(), gen_random_uuid()), 'UTF8')), 'base64')`

/** Locks a key. Concurrent transactions run in sequence, so each transaction counts the rows of the previous one. */
export async function lockKey(tx: Db, keyId: string): Promise<void> {
  await tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, keyId)).for('no key update')
}

/**
 * Locks a webhook of a key. A statement that changes several deliveries of a webhook first locks the webhook, so that
 * two statements cannot deadlock.
 *
 * @throws `svc/webhook-not-found`
 */
export async function lockWebhook(tx: Db, keyId: string, id: string): Promise<void> {
  const isWebhook = and(eq(webhooks.id, id), eq(webhooks.keyId, keyId))
  const found = await tx.select({ id: webhooks.id }).from(webhooks).where(isWebhook).for('update')
  if (found.length === 0) throw Errors.webhookNotFound({ kind: 'webhook', id })
}

function toCreated(row: WebhookRow | undefined) {
  if (!row) throw new Error('Cannot write the webhook: the database returned no row')
  return { ...toRecord(row), secret: row.secret, oldSecretExpiresAt: row.oldSecretExpiresAt ?? undefined }
}

function toRecord({ id, url, events, createdAt, failingSince, disabledAt, disabledReason }: WebhookRow): WebhookRecord {
  const disabled = disabledAt && disabledReason ? { at: disabledAt, reason: disabledReason } : undefined
  return { id, url, events, createdAt, failingSince: failingSince ?? undefined, disabled }
}

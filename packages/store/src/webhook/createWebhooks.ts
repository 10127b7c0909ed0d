import { randomBytes } from 'node:crypto'
import { Errors } from '@agio/core'
import { and, count, desc, eq, sql } from 'drizzle-orm'
import type { Database, Finish } from '../database/Database.ts'
import { apiKeys, webhooks } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import { drawSecret, isEncrypted, webhookCell, type Keyring } from '../encryption/createKeyring.ts'
import { privateKeyPrefix, toPublicKey } from './asymmetricKey.ts'
import type { WebhookRecord } from './Webhook.ts'

const maxWebhooks = 10
const oldSecretSigns = sql.raw("interval '1 day'")

/**
 * Creates functions that create, list and remove the webhooks of keys, and rotate their secrets.
 *
 * @param refresh reads the webhooks again. It is called after each change, and does not reject
 */
export function createWebhooks(
  { db, transact, keyring }: Pick<Database, 'db' | 'transact'> & { readonly keyring: Keyring },
  refresh: () => Promise<void>,
) {
  const draw = (id: string, signature: WebhookSignature) =>
    drawSecret(signature === 'v1' ? 'whsec_' : privateKeyPrefix, { keyring, cell: webhookCell(id, 'secret') })
  async function complete(tx: Db, row: WebhookRow | undefined): Promise<CreatedWebhook & OldSecret> {
    if (!row) throw new Error('Cannot write the webhook: the database returned no row')
    const secret = keyring.decrypt(row.secret, webhookCell(row.id, 'secret'))
    const publicKey = secret.startsWith(privateKeyPrefix) ? toPublicKey(secret) : null
    if (publicKey !== null) await tx.update(webhooks).set({ publicKey }).where(eq(webhooks.id, row.id))
    const oldSecretExpiresAt = row.oldSecretExpiresAt ?? undefined
    return { ...toRecord({ ...row, publicKey }), secret, oldSecretExpiresAt }
  }
  return {
    /** Creates a webhook with a new secret. `finish` runs in the same transaction. @throws `svc/webhook-limit` if the key has ten webhooks */
    async create(
      keyId: string,
      {
        url,
        events,
        signature = 'v1',
      }: Pick<WebhookRecord, 'url' | 'events'> & { readonly signature?: WebhookSignature | undefined },
      finish?: Finish<CreatedWebhook>,
    ): Promise<CreatedWebhook> {
      const created = await transact(async (tx) => {
        await touchKey(tx, keyId)
        const [own] = await tx.select({ webhooks: count() }).from(webhooks).where(eq(webhooks.keyId, keyId))
        if ((own?.webhooks ?? 0) >= maxWebhooks) throw Errors.webhookLimit({ count: maxWebhooks, kind: 'webhooks' })
        const id = `wh_${randomBytes(9).toString('base64url')}`
        const row = { id, keyId, url, events, secret: draw(id, signature) }
        const [inserted] = await tx.insert(webhooks).values(row).returning()
        const completed = await complete(tx, inserted)
        await finish?.(tx, completed)
        return completed
      }).catch(throwStorageError)
      await refresh()
      return created
    },
    /** Returns the webhooks of a key, newest first. */
    async list(keyId: string): Promise<readonly WebhookRecord[]> {
      const rows = db.select().from(webhooks).where(eq(webhooks.keyId, keyId)).orderBy(desc(webhooks.createdAt))
      return (await rows.catch(throwStorageError)).map(toRecord)
    },
    /** Deletes a webhook and its deliveries. @throws `svc/webhook-not-found` */
    async remove(keyId: string, id: string): Promise<WebhookRecord> {
      const removed = await transact(async (tx) => {
        await lockWebhook(tx, keyId, id)
        await touchKey(tx, keyId)
        return await tx.delete(webhooks).where(eq(webhooks.id, id)).returning()
      }).catch(throwStorageError)
      await refresh()
      return toRecord(removed[0] as WebhookRow)
    },
    /** Replaces the secret of a webhook. The old secret also signs for another day. @throws `svc/webhook-not-found` */
    async rotate(keyId: string, id: string): Promise<CreatedWebhook & { readonly oldSecretExpiresAt: Date }> {
      const rotated = await transact(async (tx) => {
        const { secret, publicKey } = await lockWebhook(tx, keyId, id)
        const oldSecret = toOldSecret(secret, { id, keyring })
        const old = { oldSecret, oldSecretExpiresAt: sql`now() + ${oldSecretSigns}` }
        const isWebhook = eq(webhooks.id, id)
        const next = draw(id, publicKey === null ? 'v1' : 'v1a')
        const [updated] = await tx
          .update(webhooks)
          .set({ ...old, secret: next })
          .where(isWebhook)
          .returning()
        return await complete(tx, updated)
      }).catch(throwStorageError)
      return { ...rotated, oldSecretExpiresAt: rotated.oldSecretExpiresAt ?? new Date() }
    },
  }
}

/** A webhook with its secret. */
type CreatedWebhook = WebhookRecord & { readonly secret: string }

type OldSecret = { readonly oldSecretExpiresAt: Date | undefined }

/** How messages are signed: by a shared secret (HMAC-SHA256), or by a private key (ed25519). */
type WebhookSignature = 'v1' | 'v1a'

type Db = Database['db']

type WebhookRow = typeof webhooks.$inferSelect

/**
 * Returns the secret of a webhook as its old secret. A secret in plain text is copied by the database.
 *
 * @throws `svc/storage-unavailable` if the secret cannot be decrypted
 */
function toOldSecret(secret: string, { id, keyring }: { readonly id: string; readonly keyring: Keyring }) {
  if (keyring.keyId === undefined && !isEncrypted(secret)) return sql`${webhooks.secret}`
  return keyring.encrypt(keyring.decrypt(secret, webhookCell(id, 'secret')), webhookCell(id, 'old_secret'))
}

/** Locks a key. Concurrent transactions run in sequence, so each transaction counts the rows of the previous one. */
export async function lockKey(tx: Db, keyId: string): Promise<void> {
  await tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, keyId)).for('no key update')
}

/**
 * Marks a key as changed, so that other processes read its webhooks again. Locks the key like `lockKey`, after the webhook.
 */
export async function touchKey(tx: Db, keyId: string): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ changedAt: sql`now()` })
    .where(eq(apiKeys.id, keyId))
}

/**
 * Locks a webhook of a key. A statement that changes several deliveries of a webhook first locks the webhook, so that
 * two statements cannot deadlock.
 *
 * @returns its stored secret, and its public key
 * @throws `svc/webhook-not-found`
 */
export async function lockWebhook(
  tx: Db,
  keyId: string,
  id: string,
): Promise<Pick<WebhookRow, 'secret' | 'publicKey'>> {
  const isWebhook = and(eq(webhooks.id, id), eq(webhooks.keyId, keyId))
  const { secret, publicKey } = webhooks
  const [found] = await tx.select({ secret, publicKey }).from(webhooks).where(isWebhook).for('update')
  if (!found) throw Errors.webhookNotFound({ kind: 'webhook', id })
  return found
}

function toRecord({ id, url, events, createdAt, publicKey, failingSince, ...row }: WebhookRow): WebhookRecord {
  const { disabledAt, disabledReason } = row
  const disabled = disabledAt && disabledReason ? { at: disabledAt, reason: disabledReason } : undefined
  const optional = { publicKey: publicKey ?? undefined, failingSince: failingSince ?? undefined }
  return { id, url, events, createdAt, ...optional, disabled }
}

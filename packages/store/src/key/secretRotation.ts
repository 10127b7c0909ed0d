import { Errors } from '@agio/core'
import { and, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { appendAudit } from '../audit/appendAudit.ts'
import type { Actor } from '../audit/AuditEvent.ts'
import type { Database } from '../database/Database.ts'
import { apiKeys, apiSecrets } from '../database/schema.ts'
import { toUnknownKey } from './keyQueries.ts'
import { createSecret, hashSecret, prefixOf } from './secrets.ts'

type Tx = Database['db']

/** A new secret, and when the secrets that it replaces expire. */
export type Rotated = { readonly secret: string; readonly oldSecretsExpireAt: Date }

type Rotation = { readonly overlapSeconds: number; readonly nowMs: number; readonly actor: Actor }

/**
 * Stores a new secret of a key for an operator. All other secrets expire, and none can rotate.
 *
 * @throws `svc/not-found`, `svc/key-revoked`
 */
export async function replaceAll(tx: Tx, id: string, rotation: Rotation): Promise<Rotated> {
  const { kind } = await lockKey(tx, id, 'rotate')
  const oldSecretsExpireAt = toEnd(rotation)
  await expire(tx, id, { oldSecretsExpireAt })
  await tx.update(apiSecrets).set({ requestedBy: null }).where(eq(apiSecrets.keyId, id))
  return { secret: await addSecret(tx, id, { ...rotation, kind }), oldSecretsExpireAt }
}

/**
 * Stores a new secret of a key at the request of one of its secrets, which expires together with the secrets that were replaced
 * before. A replaced secret may repeat its rotation, because the response may have been lost, until a secret that it requested is
 * used. It then ends no secret sooner: otherwise an old secret that was stolen would end the secret of its owner.
 *
 * @throws `svc/not-found`, `svc/key-revoked`
 */
export async function replaceOwn(
  tx: Tx,
  id: string,
  { secretHash, ...rotation }: Rotation & { readonly secretHash: string },
): Promise<Rotated> {
  const { kind } = await lockKey(tx, id, 'rotate')
  const own = await getSecret(tx, secretHash)
  const oldSecretsExpireAt = own.expiresAt ?? toEnd(rotation)
  if (own.expiresAt) await assertMayRepeat(tx, id, secretHash)
  else await expire(tx, id, { oldSecretsExpireAt, secretHash })
  const secret = await addSecret(tx, id, { ...rotation, kind, requestedBy: secretHash })
  return { secret, oldSecretsExpireAt }
}

/** Ends the repetitions of a rotation: one of the secrets that it returned is used. */
export async function endRepetitions(tx: Tx, id: string, requestedBy: string): Promise<void> {
  // A rotation at the same time locks the key too, so its secret is either changed here or refused.
  await tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, id)).for('update')
  await tx
    .update(apiSecrets)
    .set({ requestedBy: null })
    .where(and(eq(apiSecrets.keyId, id), eq(apiSecrets.requestedBy, requestedBy)))
}

/** Returns the row of a key, locked until the transaction ends. @throws `svc/not-found`, `svc/key-revoked` */
export async function lockKey(tx: Tx, id: string, action: string): Promise<typeof apiKeys.$inferSelect> {
  const [key] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id)).for('update')
  if (!key) throw toUnknownKey(id)
  if (key.revokedAt) throw Errors.keyRevoked({ action: `${action} key ${id}` })
  return key
}

/** Returns the row of a secret. */
export function toSecretRow(keyId: string, secret: string, createdAt: Date): typeof apiSecrets.$inferInsert {
  return { hash: hashSecret(secret), keyId, prefix: prefixOf(secret), createdAt }
}

function toEnd({ nowMs, overlapSeconds }: Rotation): Date {
  return new Date(nowMs + overlapSeconds * 1000)
}

/** Returns a secret of a locked key. @throws `svc/key-revoked` if it is unknown */
async function getSecret(tx: Tx, hash: string) {
  const [secret] = await tx.select().from(apiSecrets).where(eq(apiSecrets.hash, hash))
  if (secret) return secret
  throw Errors.keyRevoked()
}

async function assertMayRepeat(tx: Tx, id: string, secretHash: string): Promise<void> {
  const isUnused = and(eq(apiSecrets.keyId, id), eq(apiSecrets.requestedBy, secretHash))
  const unused = await tx.select({ hash: apiSecrets.hash }).from(apiSecrets).where(isUnused).limit(1)
  if (unused.length === 0)
    throw Errors.keyRevoked({ action: `rotate key ${id}`, reason: 'this secret was replaced. Use the newest secret' })
}

type Expiry = {
  readonly oldSecretsExpireAt: Date
  /** Only this secret and replaced secrets expire; all secrets by default. */
  readonly secretHash?: string | undefined
}

/** Shortens the lives of secrets. Secrets of earlier rotations expire with the replaced secret, or earlier. */
async function expire(tx: Tx, id: string, { oldSecretsExpireAt: expiresAt, secretHash }: Expiry): Promise<void> {
  const isOlder =
    secretHash === undefined ? undefined : or(eq(apiSecrets.hash, secretHash), isNotNull(apiSecrets.expiresAt))
  const isLater = or(isNull(apiSecrets.expiresAt), gt(apiSecrets.expiresAt, expiresAt))
  await tx
    .update(apiSecrets)
    .set({ expiresAt })
    .where(and(eq(apiSecrets.keyId, id), isOlder, isLater))
}

type NewSecret = Rotation & { readonly kind: 'secret' | 'publishable' | null; readonly requestedBy?: string }

async function addSecret(tx: Tx, id: string, { kind, nowMs, actor, requestedBy }: NewSecret): Promise<string> {
  const secret = createSecret(kind ?? 'secret')
  await tx.insert(apiSecrets).values({ ...toSecretRow(id, secret, new Date(nowMs)), requestedBy })
  await tx
    .update(apiKeys)
    .set({ changedAt: sql`now()` })
    .where(eq(apiKeys.id, id))
  await appendAudit(tx, actor, { target: id, fields: ['secret'] })
  return secret
}

import { randomBytes } from 'node:crypto'
import type { ServiceError } from '@agio/core'
import { asc, gt, inArray, sql } from 'drizzle-orm'
import { appendAudit } from '../audit/appendAudit.ts'
import type { Actor } from '../audit/AuditEvent.ts'
import type { Database } from '../database/Database.ts'
import { quoteSecrets } from '../database/schema.ts'
import { drawSecret, quoteSecretCell, type Keyring } from '../encryption/createKeyring.ts'

/** A secret that signs quotes, and its id, which is part of the quotes. */
export type QuoteSecret = { readonly id: string; readonly secret: Uint8Array }

/** The id and the times of a new secret, without the secret itself. */
export type RotatedQuoteSecret = { readonly id: string; readonly createdAt: Date; readonly signsFrom: Date }

/** A secret with the time from which it signs, in milliseconds of the database's clock. */
export type StoredSecret = { readonly id: string; readonly signsFromMs: number } & (
  | QuoteSecret
  /** Why this process cannot decrypt the secret. */
  | { readonly unreadable: ServiceError }
)

/** Returns all secrets, the oldest first, and the database's time in milliseconds. */
export async function readSecrets({
  db,
  keyring,
}: Pick<Stored, 'db' | 'keyring'>): Promise<{ readonly secrets: readonly StoredSecret[]; readonly nowMs: number }> {
  const rows = await db
    .select({
      id: quoteSecrets.id,
      secret: quoteSecrets.secret,
      signsFromMs: toMs(quoteSecrets.signsFrom),
      nowMs: toMs(sql`clock_timestamp()`),
    })
    .from(quoteSecrets)
    .orderBy(asc(quoteSecrets.signsFrom), asc(quoteSecrets.id))
  const secrets = rows.map(({ id, secret, signsFromMs }) => ({
    id,
    ...decrypt(secret, { id, keyring }),
    signsFromMs: Number(signsFromMs),
  }))
  return { secrets, nowMs: Number(rows[0]?.nowMs ?? 0) }
}

type Stored = Pick<Database, 'db' | 'transact'> & { readonly keyring: Keyring }

function decrypt(stored: string, { id, keyring }: { readonly id: string; readonly keyring: Keyring }) {
  try {
    return { secret: Buffer.from(keyring.decrypt(stored, quoteSecretCell(id)), 'base64') }
  } catch (error) {
    return { unreadable: error as ServiceError }
  }
}

// As text, because a Date is less precise than the database.
const toMs = (time: unknown) => sql<string>`(extract(epoch from ${time}) * 1000)::text`

/**
 * Creates a secret that signs at once, unless the database has a secret. If several processes call it at once, one
 * creates the secret.
 */
export async function createFirstSecret({ transact, keyring }: Pick<Stored, 'transact' | 'keyring'>): Promise<void> {
  await transact(async (tx) => {
    await lockSecrets(tx)
    const existing = await tx.select({ id: quoteSecrets.id }).from(quoteSecrets).limit(1)
    if (existing.length === 0) await insertSecret(tx, keyring, 0)
  })
}

/** Returns the secret that does not sign yet. Without such a secret, creates one that signs after `signsAfterMs`. */
export async function createNextSecret(
  { transact, keyring }: Pick<Stored, 'transact' | 'keyring'>,
  signsAfterMs: number,
  actor: Actor,
): Promise<RotatedQuoteSecret | undefined> {
  return await transact(async (tx) => {
    await lockSecrets(tx)
    const isNext = gt(quoteSecrets.signsFrom, sql`clock_timestamp()`)
    const [waiting] = await tx.select(described).from(quoteSecrets).where(isNext).limit(1)
    if (waiting) return waiting
    const created = await insertSecret(tx, keyring, signsAfterMs)
    if (created) await appendAudit(tx, actor, { target: created.id, fields: ['secret'] })
    return created
  })
}

/** Deletes all secrets and creates one that signs at once. */
export async function replaceSecrets(
  { transact, keyring }: Pick<Stored, 'transact' | 'keyring'>,
  actor: Actor,
): Promise<RotatedQuoteSecret | undefined> {
  return await transact(async (tx) => {
    await lockSecrets(tx)
    await tx.delete(quoteSecrets)
    const created = await insertSecret(tx, keyring, 0)
    if (created) await appendAudit(tx, actor, { target: created.id, fields: ['secret'] })
    return created
  })
}

const described = { id: quoteSecrets.id, createdAt: quoteSecrets.createdAt, signsFrom: quoteSecrets.signsFrom }

// Only one process at a time creates a secret. Readers do not wait.
async function lockSecrets(tx: Database['db']): Promise<void> {
  await tx.execute(sql`lock table ${quoteSecrets} in share row exclusive mode`)
}

/** Inserts a new secret. */
async function insertSecret(
  tx: Database['db'],
  keyring: Keyring,
  signsAfterMs: number,
): Promise<RotatedQuoteSecret | undefined> {
  const id = randomBytes(9).toString('base64url')
  const [created] = await tx
    .insert(quoteSecrets)
    .values({
      id,
      secret: drawSecret('', { keyring, cell: quoteSecretCell(id) }),
      createdAt: sql`clock_timestamp()`,
      signsFrom: sql`clock_timestamp() + ${signsAfterMs} * interval '1 millisecond'`,
    })
    .returning(described)
  return created
}

/** Deletes secrets by their ids. */
export async function deleteSecrets(db: Database['db'], ids: readonly string[]): Promise<void> {
  await db.delete(quoteSecrets).where(inArray(quoteSecrets.id, [...ids]))
}

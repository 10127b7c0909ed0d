import { and, asc, eq, gt, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { quoteSecrets, webhooks } from '../database/schema.ts'
import type { StoreLog } from '../log/StoreLog.ts'
import { keyIdOf, quoteSecretCell, webhookCell, type Cell, type Keyring } from './createKeyring.ts'

const batchSize = 100
const everyMs = 600_000

/**
 * Encrypts the stored secrets with the first key of a keyring: secrets in plain text, and secrets of an older master
 * key. Several processes may do this at once: each row is locked by one of them. It is repeated every ten minutes,
 * because a process that has not restarted yet may store secrets in the earlier form.
 */
export function createSecretEncryption({ log, monotonicMs = () => performance.now(), ...stored }: Dependencies) {
  let ranAtMs = -Infinity
  let reported = ''
  return {
    /** Encrypts the stored secrets, at most every ten minutes. Logs the ids of master keys that the keyring lacks. */
    async runIfDue(): Promise<void> {
      if (monotonicMs() - ranAtMs < everyMs) return
      const { keyId, keyIds } = stored.keyring
      const count = keyId === undefined ? 0 : await encryptAll(stored, keyId)
      if (count > 0) log.info({ count, keyId }, 'encrypted stored secrets with the master key')
      const missing = (await listKeyIds(stored.db)).filter((id) => id !== '' && !keyIds.includes(id))
      ranAtMs = monotonicMs()
      if (missing.join() === reported) return
      reported = missing.join()
      if (missing.length > 0)
        log.error({ missing }, 'stored secrets cannot be decrypted: MASTER_KEY lacks the master keys with these ids')
    },
  }
}

type Dependencies = Stored & {
  readonly log: StoreLog
  /** A monotonic clock, in milliseconds. Default: the clock of the process. */
  readonly monotonicMs?: (() => number) | undefined
}

/** The encryption of the stored secrets. */
export type SecretEncryption = ReturnType<typeof createSecretEncryption>

type Stored = Pick<Database, 'db' | 'transact'> & { readonly keyring: Keyring }

/** Encrypts all secrets that a keyring can decrypt and has not encrypted. Returns their number. */
async function encryptAll({ transact, keyring }: Stored, keyId: string): Promise<number> {
  const encrypt = (stored: string, cell: Cell) => keyring.encrypt(keyring.decrypt(stored, cell), cell)
  let count = await transact((tx) => encryptQuoteSecrets(tx, { encrypt, keyId }))
  for (let last: string | undefined = ''; last !== undefined;) {
    const after: string = last
    const batch = await transact((tx) => encryptWebhooks(tx, { encrypt, keyId, after }))
    count += batch.count
    last = batch.last
  }
  return count
}

type Encrypting = { readonly encrypt: (stored: string, cell: Cell) => string; readonly keyId: string }

async function encryptQuoteSecrets(tx: Database['db'], { encrypt, keyId }: Encrypting): Promise<number> {
  const { id, secret } = quoteSecrets
  const rows = await tx
    .select({ id, secret })
    .from(quoteSecrets)
    .where(ne(keyIdOf(secret), keyId))
    .for('update', { skipLocked: true })
  let count = 0
  for (const row of rows) {
    const encrypted = unlessUnreadable(() => encrypt(row.secret, quoteSecretCell(row.id)))
    if (encrypted === undefined) continue
    await tx.update(quoteSecrets).set({ secret: encrypted }).where(eq(id, row.id))
    count += 1
  }
  return count
}

type Batch = Encrypting & { readonly after: string }

/** Encrypts a batch of webhooks. `last` is the id of the last webhook of a full batch. */
async function encryptWebhooks(tx: Database['db'], { encrypt, keyId, after }: Batch) {
  const { id, secret, oldSecret } = webhooks
  const isOther = or(ne(keyIdOf(secret), keyId), and(isNotNull(oldSecret), ne(keyIdOf(oldSecret), keyId)))
  const rows = await tx
    .select({ id, secret, oldSecret })
    .from(webhooks)
    .where(and(gt(id, after), isOther))
    .orderBy(asc(id))
    .limit(batchSize)
    .for('update', { skipLocked: true })
  let count = 0
  for (const row of rows) {
    const encrypted = unlessUnreadable(() => ({
      secret: encrypt(row.secret, webhookCell(row.id, 'secret')),
      oldSecret: row.oldSecret === null ? null : encrypt(row.oldSecret, webhookCell(row.id, 'old_secret')),
    }))
    if (!encrypted) continue
    await tx.update(webhooks).set(encrypted).where(eq(id, row.id))
    count += 1
  }
  return { count, last: rows.length === batchSize ? rows.at(-1)?.id : undefined }
}

/** Returns undefined for a secret that cannot be decrypted, which does not prevent the encryption of others. */
function unlessUnreadable<Result>(encrypt: () => Result): Result | undefined {
  try {
    return encrypt()
  } catch {
    return undefined
  }
}

/** Lists the ids of the master keys of all stored secrets; an empty text stands for plain text. */
async function listKeyIds(db: Database['db']): Promise<readonly string[]> {
  const ids = (column: typeof webhooks.secret | typeof webhooks.oldSecret | typeof quoteSecrets.secret) =>
    sql<string>`coalesce(${keyIdOf(column)}, '')`.as('key_id')
  const rows = await db
    .select({ keyId: ids(quoteSecrets.secret) })
    .from(quoteSecrets)
    .union(db.select({ keyId: ids(webhooks.secret) }).from(webhooks))
    .union(db.select({ keyId: ids(webhooks.oldSecret) }).from(webhooks))
  return rows.map(({ keyId }) => keyId).toSorted()
}

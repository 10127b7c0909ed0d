import { randomBytes } from 'node:crypto'
import { Errors, type ServiceError } from '@agio/core'
import { asc, gt, inArray, sql } from 'drizzle-orm'
import type { Actor } from '../audit/AuditEvent.ts'
import type { Database } from '../database/Database.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import { createTableCache } from '../database/createTableCache.ts'
import { type Keyring, drawSecret, quoteSecretCell } from '../encryption/createKeyring.ts'
import { appendAudit } from '../audit/appendAudit.ts'
import { quoteSecrets } from '../database/schema.ts'

const minuteMs = 60_000
// How long a secret verifies after another secret replaced it.
const verifiesForMs = 90 * 24 * 60 * minuteMs
const lookUpEveryMs = 1000

/**
 * Opens the secrets that sign quotes, and creates the first secret if the database has none. All times are by the
 * database's clock. Between readings it is extrapolated by the monotonic clock of the process.
 *
 * @throws what the database throws if it cannot be read or written
 */
export async function openQuoteSecrets(dependencies: openQuoteSecrets.Dependencies) {
  const { db, signsAfterMs = minuteMs } = dependencies
  const { monotonicMs = () => performance.now() } = dependencies
  const memory = createSecretCache(dependencies, monotonicMs)
  const lookUp = createLookUp(() => memory.refresh(), monotonicMs)
  async function refresh(): Promise<void> {
    await memory.refresh()
    if (memory.isEmpty()) {
      await createFirstSecret(dependencies)
      await memory.refresh()
    }
    const expired = memory.listExpired()
    // If this fails, the next refresh repeats it.
    if (expired.length > 0) await deleteSecrets(db, expired).catch(() => {})
  }
  await refresh()
  async function write(query: Promise<RotatedQuoteSecret | undefined>): Promise<RotatedQuoteSecret> {
    const created = await query.catch(throwStorageError)
    if (!created) throw new Error('Cannot write the secret of quotes: the database returned no row')
    // If this fails, the next poll reads the secret.
    await memory.refresh().catch(() => {})
    return created
  }
  return {
    /**
     * Returns the current signing secret, from memory.
     *
     * @throws `svc/storage-unavailable` if all secrets were deleted by hand, or if this process cannot decrypt the secret
     */
    current: memory.current,
    /**
     * Returns the secret with an id, from memory or by a look-up in the database, at most once a second. Returns
     * undefined for an unknown id, and 90 days after another secret replaced it.
     *
     * @throws `svc/storage-unavailable` if an unknown id cannot be looked up, or if this process cannot decrypt the secret
     */
    find: (id: string) => (memory.has(id) ? memory.find(id) : lookUp().then(() => memory.find(id))),
    /**
     * Stores a new secret, which signs a minute later, when every process has it in memory. Within that minute, a
     * repeated call returns the same secret instead of rotating again.
     *
     * @throws `svc/storage-unavailable`
     */
    rotate: (actor: Actor) => write(createNextSecret(dependencies, signsAfterMs, actor)),
    /**
     * Deletes all secrets, so that no earlier quote is valid, and creates one that signs at once. Other processes follow
     * within two seconds.
     *
     * @throws `svc/storage-unavailable`
     */
    revokeAll: (actor: Actor) => write(replaceSecrets(dependencies, actor)),
    /** Reads the secrets of other processes, and deletes the secrets that no longer verify. */
    refresh,
  }
}

export declare namespace openQuoteSecrets {
  type Dependencies = Pick<Database, 'db' | 'transact'> & {
    readonly keyring: Keyring
    /** How long a secret is stored before it signs; a minute by default. */
    readonly signsAfterMs?: number | undefined
    /** A monotonic clock, in milliseconds. Default: the clock of the process. */
    readonly monotonicMs?: (() => number) | undefined
  }
}

/** The secrets that sign and verify quotes. */
export type QuoteSecrets = Awaited<ReturnType<typeof openQuoteSecrets>>

/** Keeps the stored secrets and the database's clock in memory. */
function createSecretCache({ db, keyring }: openQuoteSecrets.Dependencies, monotonicMs: () => number) {
  const table = createTableCache(
    async () => {
      const { secrets, nowMs } = await readSecrets({ db, keyring })
      return { secrets, offsetMs: nowMs - monotonicMs() }
    },
    { secrets: [], offsetMs: 0 },
  )
  const nowMs = () => monotonicMs() + table.get().offsetMs
  const isExpired = (_: unknown, at: number, secrets: readonly StoredSecret[]) => {
    const next = secrets[at + 1]
    return next !== undefined && nowMs() >= next.signsFromMs + verifiesForMs
  }
  return {
    refresh: () => table.refresh(),
    isEmpty: () => table.get().secrets.length === 0,
    listExpired: () =>
      table
        .get()
        .secrets.filter(isExpired)
        .map(({ id }) => id),
    has: (id: string) => table.get().secrets.some((secret) => secret.id === id),
    find(id: string): QuoteSecret | undefined {
      const { secrets } = table.get()
      const at = secrets.findIndex((secret) => secret.id === id)
      const found = secrets[at]
      return !found || isExpired(id, at, secrets) ? undefined : open(found)
    },
    current(): QuoteSecret {
      const { secrets } = table.get()
      const current = secrets.findLast(({ signsFromMs }) => signsFromMs <= nowMs()) ?? secrets[0]
      if (current) return open(current)
      throw Errors.storageUnavailable({ action: 'sign a quote', reason: 'the database holds no secret' })
    },
  }
}

/** Returns a stored secret. @throws `svc/storage-unavailable` if it cannot be decrypted */
function open(stored: StoredSecret): QuoteSecret {
  if ('unreadable' in stored) throw stored.unreadable
  return stored
}

/** Creates a look-up that reads at most once a second. Calls within a second share the result of the last read. */
function createLookUp(read: () => Promise<void>, monotonicMs: () => number): () => Promise<void> {
  let readAtMs = Number.NEGATIVE_INFINITY
  let last: Promise<void> = Promise.resolve()
  return () => {
    if (monotonicMs() - readAtMs >= lookUpEveryMs) {
      readAtMs = monotonicMs()
      last = read().catch(throwStorageError)
    }
    return last
  }
}

/** A secret that signs quotes, and its id, which is part of the quotes. */
type QuoteSecret = { readonly id: string; readonly secret: Uint8Array }

/** The id and the times of a new secret, without the secret itself. */
type RotatedQuoteSecret = { readonly id: string; readonly createdAt: Date; readonly signsFrom: Date }

/** A secret with the time from which it signs, in milliseconds of the database's clock. */
type StoredSecret = { readonly id: string; readonly signsFromMs: number } & (
  | QuoteSecret
  /** Why this process cannot decrypt the secret. */
  | { readonly unreadable: ServiceError }
)

/** Returns all secrets, the oldest first, and the database's time in milliseconds. */
async function readSecrets({
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
async function createFirstSecret({ transact, keyring }: Pick<Stored, 'transact' | 'keyring'>): Promise<void> {
  await transact(async (tx) => {
    await lockSecrets(tx)
    const existing = await tx.select({ id: quoteSecrets.id }).from(quoteSecrets).limit(1)
    if (existing.length === 0) await insertSecret(tx, keyring, 0)
  })
}

/** Returns the secret that does not sign yet. Without such a secret, creates one that signs after `signsAfterMs`. */
async function createNextSecret(
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
async function replaceSecrets(
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
async function deleteSecrets(db: Database['db'], ids: readonly string[]): Promise<void> {
  await db.delete(quoteSecrets).where(inArray(quoteSecrets.id, [...ids]))
}

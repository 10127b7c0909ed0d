import { createHmac, hkdfSync, randomUUID } from 'node:crypto'
import { Errors } from '@agio/core'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { idempotencyKeys } from '../database/schema.ts'
import { leaseFor, systemTime } from '../database/sqlTime.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import { createKeyring, type Cell, type Keyring } from '../encryption/createKeyring.ts'

// Longer than any operation takes: its queries have time limits.
const leaseMs = 30_000
const keptFor = sql.raw("interval '24 hours'")

/**
 * Creates the store of the first outcomes of calls with an `Idempotency-Key`. A row contains a hash of the key, and the
 * outcome encrypted with a key that is derived from it, so that only a caller with the same key can read the outcome.
 */
export function createIdempotency({ db }: Pick<Database, 'db'>) {
  return {
    /**
     * Claims the key of a call, or returns the outcome of the first call with the same key.
     *
     * @throws `svc/idempotency-key-in-use` while the first call is in progress, for at most 30 seconds if its process has died;
     * `svc/idempotency-key-reused` if the first call had another input; `svc/storage-unavailable`
     */
    async begin(call: IdempotentCall): Promise<ClaimedKey | { readonly outcome: string }> {
      const secrets = deriveSecrets(call)
      const claim = randomUUID()
      const isClaimed = await claimRow(db, { ...secrets, claim }).catch(throwStorageError)
      if (!isClaimed) return await readOutcome(db, secrets).catch(throwStorageError)
      await deleteExpired(db).catch(throwStorageError)
      return {
        async complete(outcome, { tx = db, createdId } = {}) {
          const completed = await tx
            .update(idempotencyKeys)
            .set({ outcome: secrets.keyring.encrypt(outcome, secrets.cell), claim: null, createdId })
            .where(and(eq(idempotencyKeys.id, secrets.id), eq(idempotencyKeys.claim, claim)))
            .returning({ id: idempotencyKeys.id })
          // Another process has claimed the key after this one was suspended for longer than its lease.
          if (completed.length === 0) throw Errors.idempotencyKeyInUse()
        },
        async release() {
          const isOwn = and(eq(idempotencyKeys.id, secrets.id), eq(idempotencyKeys.claim, claim))
          await db.delete(idempotencyKeys).where(isOwn).catch(throwStorageError)
        },
      }
    },
  }
}

/** The first outcomes of calls with an `Idempotency-Key`, for 24 hours. */
export type Idempotency = ReturnType<typeof createIdempotency>

/** A call with an `Idempotency-Key`. */
type IdempotentCall = {
  /** Who calls: keys of different callers are different keys. */
  readonly callerId: string
  readonly operation: string
  /** The value of the header. */
  readonly key: string
  /** The input as text. */
  readonly input: string
}

/** A key that this process has claimed. */
type ClaimedKey = {
  /**
   * Stores the outcome of the call.
   *
   * @throws `svc/idempotency-key-in-use` if the claim was lost
   */
  complete(outcome: string, options?: CompleteOptions): Promise<void>
  /** Ends the claim of a call that had no effect, so that it may be made again. */
  release(): Promise<void>
}

type CompleteOptions = {
  /** The transaction of the call, so that both are stored or neither. */
  readonly tx?: Database['db']
  /** The id of what the outcome describes. */
  readonly createdId?: string
}

type Secrets = {
  /** Identifies the row: a hash of caller, operation and key. */
  readonly id: string
  /** A keyed hash of the input, which cannot be guessed without the key. */
  readonly inputHash: string
  readonly keyring: Keyring
  readonly cell: Cell
}

function deriveSecrets({ callerId, operation, key, input }: IdempotentCall): Secrets {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', key, `${operation} ${callerId}`, `agio idempotency ${purpose}`, 32))
  const id = derive('id').toString('hex')
  return {
    id,
    inputHash: createHmac('sha256', derive('input')).update(input).digest('hex'),
    keyring: createKeyring([derive('outcome').toString('base64')]),
    cell: { table: 'idempotency_keys', column: 'outcome', id },
  }
}

type Claim = Pick<Secrets, 'id' | 'inputHash'> & { readonly claim: string }

/** Claims a row: a new one, one that has expired, or one whose process has died. Returns whether it was claimed. */
async function claimRow(db: Database['db'], { id, inputHash, claim }: Claim): Promise<boolean> {
  const { createdAt, leaseUntil, inputHash: firstHash } = idempotencyKeys
  const isExpired = lt(createdAt, sql`now() - ${keptFor}`)
  const isAbandoned = and(isNull(idempotencyKeys.outcome), lt(leaseUntil, systemTime), eq(firstHash, inputHash))
  const row = { inputHash, claim, outcome: null, createdId: null, createdAt: sql`now()`, leaseUntil: leaseFor(leaseMs) }
  const claimed = await db
    .insert(idempotencyKeys)
    .values({ id, ...row })
    .onConflictDoUpdate({ target: idempotencyKeys.id, set: row, setWhere: sql`${isExpired} or ${isAbandoned}` })
    .returning({ id: idempotencyKeys.id })
  return claimed.length > 0
}

/**
 * Erases the outcomes that describe something with an id. Their rows remain until they expire, so that a repetition is refused as a
 * call with another input, and does not create it again.
 */
export async function eraseOutcomes(tx: Database['db'], createdId: string): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set({ outcome: null, inputHash: '', createdId: null })
    .where(eq(idempotencyKeys.createdId, createdId))
}

/** Deletes the outcomes that have expired. */
export async function deleteExpired(db: Database['db']): Promise<void> {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, sql`now() - ${keptFor}`))
}

async function readOutcome(db: Database['db'], { id, inputHash, keyring, cell }: Secrets) {
  const [row] = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.id, id))
  // The first call ended without an outcome meanwhile. The next attempt claims the key.
  if (!row) throw Errors.idempotencyKeyInUse()
  if (row.inputHash !== inputHash) throw Errors.idempotencyKeyReused()
  if (row.outcome === null) throw Errors.idempotencyKeyInUse()
  return { outcome: keyring.decrypt(row.outcome, cell) }
}

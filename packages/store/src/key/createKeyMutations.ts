import { randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database, Finish } from '../database/Database.ts'
import { appendAudit } from '../audit/appendAudit.ts'
import type { Actor } from '../audit/AuditEvent.ts'
import { apiKeys, apiSecrets } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import { eraseOutcomes } from '../idempotency/createIdempotency.ts'
import type { CreatedKey, KeyApplication, KeyChanges, KeyRecord } from './ApiKey.ts'
import { findRecord, getRecord } from './keyQueries.ts'
import { lockKey, replaceAll, replaceOwn, toSecretRow, type Rotated } from './secretRotation.ts'
import { createSecret, prefixOf } from './secrets.ts'

/** Creates, changes, rotates and revokes keys in the database, and applies each change to the memory of this process. */
export function createKeyMutations({ db, transact, applyChange, now }: createKeyMutations.Dependencies): KeyMutations {
  async function insert(
    id: string,
    { secret, ...application }: KeyApplication & { secret: string },
    { actor, finish }: { readonly actor?: Actor; readonly finish?: Finish<CreatedKey> | undefined } = {},
  ): Promise<KeyRecord> {
    const createdAt = new Date(now())
    const { kind = 'secret' } = application
    const key = { ...application, kind, id, prefix: prefixOf(secret), createdAt }
    await transact(async (tx) => {
      await tx.insert(apiKeys).values({ ...application, kind, id, createdAt })
      await tx.insert(apiSecrets).values(toSecretRow(id, secret, createdAt))
      if (actor) await appendAudit(tx, actor, { target: id, fields: listFields(application) })
      await finish?.(tx, { key, secret })
    })
    return key
  }
  /** Changes a key in one transaction. Returns the changed key, and the result of the work. */
  async function change<Result>(id: string, work: (tx: Database['db']) => Promise<Result>) {
    const result = await transact(work).catch(throwStorageError)
    await applyChange(id)
    return { key: await getRecord(db, id).catch(throwStorageError), result }
  }
  return {
    async create(application, actor, finish) {
      const secret = createSecret(application.kind ?? 'secret')
      const id = `key_${randomBytes(9).toString('base64url')}`
      const key = await insert(id, { ...application, secret }, { actor, finish }).catch(throwStorageError)
      if (key.allowedOrigins) await applyChange(id)
      return { key, secret }
    },
    async ensure({ id, ...key }) {
      const exists = async () => (await findRecord(db, id).catch(throwStorageError)) !== undefined
      if (await exists()) return
      await insert(id, key).catch(async (error: unknown) => {
        // Another process may have created the key meanwhile.
        if (!(await exists())) throwStorageError(error)
      })
    },
    async rotate(id, overlapSeconds, actor) {
      const { key, result } = await change(id, (tx) => replaceAll(tx, id, { overlapSeconds, nowMs: now(), actor }))
      return { key, ...result }
    },
    async rotateOwn(id, { finish, ...rotation }, actor) {
      const { result } = await change(id, async (tx) => {
        const replaced = await replaceOwn(tx, id, { ...rotation, nowMs: now(), actor })
        await finish?.(tx, replaced)
        return replaced
      })
      return result
    },
    async update(id, changes, actor) {
      const { key } = await change(id, async (tx) => {
        const fields = await changeKey(tx, id, changes)
        await appendAudit(tx, actor, { target: id, fields })
      })
      return key
    },
    async revoke(id, actor) {
      const { key } = await change(id, async (tx) => {
        const isRevoked = await markRevoked(tx, id, new Date(now()))
        if (isRevoked) await appendAudit(tx, actor, { target: id, fields: ['revokedAt'] })
      })
      return key
    },
    async erase(id, actor) {
      const { key } = await change(id, async (tx) => {
        const isRevoked = await markRevoked(tx, id, new Date(now()))
        const erased = await eraseOwner(tx, id)
        await eraseOutcomes(tx, id)
        const fields = [...erased, ...(isRevoked ? ['revokedAt'] : [])]
        if (fields.length > 0) await appendAudit(tx, actor, { target: id, fields })
      })
      return key
    },
  }
}

export declare namespace createKeyMutations {
  type Dependencies = Pick<Database, 'db' | 'transact'> & {
    /** Called after each change of a key. */
    readonly applyChange: (id: string) => Promise<void>
    readonly now: () => number
  }
}

type RotateOptions = {
  /** The hash of the secret that requests the rotation. */
  readonly secretHash: string
  readonly overlapSeconds: number
  readonly finish?: Finish<Rotated> | undefined
}

/** Creates and changes keys. Each change is written to the audit log in the same transaction. */
type KeyMutations = {
  /** Creates a key with a new secret. `finish` runs in the same transaction. */
  create(application: KeyApplication, actor: Actor, finish?: Finish<CreatedKey>): Promise<CreatedKey>
  /** Creates a key with a given id and secret, unless a key with that id exists. Only for local stacks: it is not audited. */
  ensure(key: KeyApplication & { readonly id: string; readonly secret: string }): Promise<void>
  /**
   * Creates a new secret for a key for an operator. All older secrets expire after an overlap.
   *
   * @throws `svc/not-found`; `svc/key-revoked`
   */
  rotate(id: string, overlapSeconds: number, actor: Actor): Promise<CreatedKey & Rotated>
  /**
   * Creates a new secret for a key at the request of one of its secrets. That secret and those that it replaced expire after an
   * overlap. `finish` runs in the same transaction.
   *
   * @throws `svc/not-found`; `svc/key-revoked`, also if the secret was replaced and a newer one was used
   */
  rotateOwn(id: string, options: RotateOptions, actor: Actor): Promise<Rotated>
  /** Changes a key. @throws `svc/not-found`; `svc/key-revoked` */
  update(id: string, changes: KeyChanges, actor: Actor): Promise<KeyRecord>
  /** Revokes a key permanently. A second call has no effect. @throws `svc/not-found` */
  revoke(id: string, actor: Actor): Promise<KeyRecord>
  /**
   * Removes the name, company, e-mail address, use case, expected volume, allowed addresses and allowed origins of a key, and
   * revokes it. The responses to its creation and its rotations cannot be repeated. Its usage remains. A second call has no effect.
   *
   * @throws `svc/not-found`
   */
  erase(id: string, actor: Actor): Promise<KeyRecord>
}

/** Lists the names of the fields that have a value. */
function listFields(application: object): readonly string[] {
  return Object.entries(application).flatMap(([name, value]) => (value === undefined || value === null ? [] : [name]))
}

/** Revokes a key. Returns false if it is unknown or revoked already. */
async function markRevoked(db: Database['db'], id: string, revokedAt: Date): Promise<boolean> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt, changedAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  return revoked.length > 0
}

/** Changes the fields of a key. Returns their names. @throws `svc/not-found`, `svc/key-revoked` */
async function changeKey(tx: Database['db'], id: string, changes: KeyChanges): Promise<readonly string[]> {
  await lockKey(tx, id, 'change')
  await tx
    .update(apiKeys)
    .set({ ...changes, changedAt: sql`now()` })
    .where(eq(apiKeys.id, id))
  return Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

// Most columns accept no null, for processes of earlier versions.
const erasedFields = {
  name: '',
  company: null,
  email: '',
  useCase: '',
  expectedVolume: '',
  allowedCidrs: null,
  allowedOrigins: null,
}

/** Erases what a key says about its owner. Returns the names of the fields that had a value. */
async function eraseOwner(tx: Database['db'], id: string): Promise<readonly string[]> {
  const [key] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id)).for('update')
  if (!key) return []
  const names = Object.keys(erasedFields) as (keyof typeof erasedFields)[]
  const fields = names.filter((name) => key[name] !== null && key[name] !== '')
  if (fields.length > 0)
    await tx
      .update(apiKeys)
      .set({ ...erasedFields, changedAt: sql`now()` })
      .where(eq(apiKeys.id, id))
  return fields
}

import { and, asc, desc, eq, gte, lt, lte, max } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { batchSize, changeInBatches } from '../database/changeInBatches.ts'
import { auditChain, auditEvents } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import { lockChain } from './appendAudit.ts'
import { genesis, type AuditEvent, type AuditLink } from './AuditEvent.ts'

/** Creates functions that read the audit log and remove its oldest events. */
export function createAudit({ db, transact }: Pick<Database, 'db' | 'transact'>) {
  return {
    /** Returns events, newest first, with the ends of the log. @throws `svc/storage-unavailable` */
    async list({ operator, operation, target, from, to, before, limit }: AuditFilter): Promise<AuditPage> {
      const isListed = and(
        operator === undefined ? undefined : eq(auditEvents.operator, operator),
        operation === undefined ? undefined : eq(auditEvents.operation, operation),
        target === undefined ? undefined : eq(auditEvents.target, target),
        from && gte(auditEvents.time, from),
        to && lt(auditEvents.time, to),
        before === undefined ? undefined : lt(auditEvents.position, before),
      )
      const events = db.select().from(auditEvents).where(isListed).orderBy(desc(auditEvents.position)).limit(limit)
      // The ends first: an event that is written meanwhile is newer than the newest.
      const ends = await readEnds(db).catch(throwStorageError)
      return { ...ends, events: await events.catch(throwStorageError) }
    },
    /** Removes the events that are older than a number of days, and all events before them. Their last hash remains. */
    async removeBefore(days: number, signal?: AbortSignal): Promise<void> {
      // In batches, because writers wait for the lock of the chain.
      await changeInBatches(() => transact((tx) => removeBatch(tx, days)), signal)
    },
  }
}

/** The log of what operators and API keys changed. */
export type Audit = ReturnType<typeof createAudit>

/** Selects events. An absent field selects all. */
type AuditFilter = {
  readonly operator?: string | undefined
  readonly operation?: string | undefined
  readonly target?: string | undefined
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly to?: Date | undefined
  /** Only events before this position. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Events, and the ends of the log. */
type AuditPage = {
  readonly events: readonly AuditEvent[]
  /** The newest event of the log. */
  readonly newest: AuditLink
  /** The last event that retention removed. The log begins after it. */
  readonly removed: AuditLink
}

/** Removes the oldest events of a log, if events after them or they themselves are older than a number of days. */
async function removeBatch(tx: Database['db'], days: number): Promise<readonly AuditLink[]> {
  const { timeMs } = await lockChain(tx)
  const { position, hash, time } = auditEvents
  const isOld = lt(time, new Date(timeMs - days * 86_400_000))
  // The time may have stepped back, so all events before the newest old event are old.
  const newestOld = tx
    .select({ position: max(position) })
    .from(auditEvents)
    .where(isOld)
  const oldest = await tx
    .select({ position, hash })
    .from(auditEvents)
    .where(lte(position, newestOld))
    .orderBy(asc(position))
    .limit(batchSize)
  const last = oldest.at(-1)
  if (!last) return []
  await tx.delete(auditEvents).where(lte(position, last.position))
  await tx.update(auditChain).set({ removedPosition: last.position, removedHash: last.hash })
  return oldest
}

async function readEnds(db: Database['db']): Promise<Omit<AuditPage, 'events'>> {
  const [row] = await db.select().from(auditChain)
  if (!row) return { newest: genesis, removed: genesis }
  return {
    newest: { position: row.newestPosition, hash: row.newestHash },
    removed: { position: row.removedPosition, hash: row.removedHash },
  }
}

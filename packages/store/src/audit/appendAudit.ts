import { eq, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { auditChain, auditEvents } from '../database/schema.ts'
import { genesis, hashEvent, type Actor, type AuditedChange, type AuditLink } from './AuditEvent.ts'

type Db = Database['db']

/**
 * Appends an event to the audit log, in the transaction of its change. Call it last: it locks the end of the log until the
 * transaction ends, so that all processes write one chain.
 */
export async function appendAudit(tx: Db, actor: Actor, { target, fields }: AuditedChange): Promise<void> {
  const { newest, timeMs } = await lockChain(tx)
  const { operator, operation, address, requestId } = actor
  const event = {
    position: newest.position + 1,
    time: new Date(timeMs),
    operator,
    operation,
    target,
    address,
    requestId,
    fields,
    previousHash: newest.hash,
  }
  const hash = hashEvent(event)
  await tx.insert(auditEvents).values({ ...event, hash })
  await tx
    .update(auditChain)
    .set({ newestPosition: event.position, newestHash: hash })
    .where(eq(auditChain.id, chainId))
}

const chainId = 1

/** The ends of the chain, while they are locked. */
export type LockedChain = {
  readonly newest: AuditLink
  /** The time of the database in milliseconds, after the lock. */
  readonly timeMs: number
}

/** Locks the ends of the chain until the transaction ends, and creates their row before the first event. */
export async function lockChain(tx: Db): Promise<LockedChain> {
  const [row] = await tx
    .insert(auditChain)
    .values({
      id: chainId,
      newestPosition: genesis.position,
      newestHash: genesis.hash,
      removedPosition: genesis.position,
      removedHash: genesis.hash,
    })
    .onConflictDoUpdate({ target: auditChain.id, set: { id: chainId } })
    .returning({
      position: auditChain.newestPosition,
      hash: auditChain.newestHash,
      timeMs: sql<string>`floor(extract(epoch from clock_timestamp()) * 1000)::text`,
    })
  if (!row) throw new Error('Cannot lock the audit log: the database returned no row')
  const { timeMs, ...newest } = row
  return { newest, timeMs: Number(timeMs) }
}

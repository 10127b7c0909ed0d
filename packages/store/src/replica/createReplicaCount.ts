import { count, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { replicas } from '../database/schema.ts'

// A replica without a heartbeat for this long has ended.
const aliveFor = sql.raw("interval '15 seconds'")

/** Counts the processes that share a database, by their heartbeats in it. */
export function createReplicaCount(db: Database['db']) {
  const id = crypto.randomUUID()
  let alive = 1
  return {
    /** Returns the number of processes at the last heartbeat, including this process. */
    get: () => alive,
    /** Writes a heartbeat, and reads the heartbeats of the other processes. */
    async beat(): Promise<void> {
      await db
        .insert(replicas)
        .values({ id })
        .onConflictDoUpdate({ target: replicas.id, set: { seenAt: sql`now()` } })
      const [found] = await db
        .select({ alive: count() })
        .from(replicas)
        .where(gt(replicas.seenAt, sql`now() - ${aliveFor}`))
      alive = Math.max(1, found?.alive ?? 1)
    },
    /** Removes the heartbeat of this process, so that other processes no longer count it. */
    async leave(): Promise<void> {
      await db.delete(replicas).where(eq(replicas.id, id))
    },
  }
}

/** Counts the processes that share a database. */
export type ReplicaCount = ReturnType<typeof createReplicaCount>

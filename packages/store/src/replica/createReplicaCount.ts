import { count, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { replicas } from '../database/schema.ts'

// A replica without a heartbeat for this long has ended.
const aliveFor = sql.raw("interval '15 seconds'")

/** Counts the processes that share a database, by their heartbeats in it. */
export function createReplicaCount(db: Database['db']): ReplicaCount {
  const id = crypto.randomUUID()
  let alive = 1
  return {
    get: () => alive,
    async beat() {
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
    async leave() {
      await db.delete(replicas).where(eq(replicas.id, id))
    },
  }
}

/** Counts the processes that share a database. */
export type ReplicaCount = {
  /** Returns the number of processes at the last heartbeat, including this process. */
  get(): number
  /** Writes a heartbeat, and reads the heartbeats of the other processes. */
  beat(): Promise<void>
  /** Removes the heartbeat of this process, so that other processes no longer count it. */
  leave(): Promise<void>
}

import type { Month } from '@agio/core'
import { and, eq, max, sum } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { usage as table } from '../database/schema.ts'
import { toStorageError } from '../database/toStorageError.ts'
import type { StoreLog } from '../StoreLog.ts'
import { createMonthClock } from './createMonthClock.ts'
import { createWriteBuffer, sumCalls, type Count } from './createWriteBuffer.ts'
import { writeBatch } from './writeBatch.ts'

// A count waits this long for others to be written with: what a process that is killed can lose, with the time it takes
// to write it.
const gatherMs = 150
const maxRetryMs = 2000
const closeWithinMs = 5000

const nothing = { calls: 0, refused: 0 }

/**
 * Counts calls: in memory at once, in the database within a moment.
 *
 * Counts are written in numbered batches. A batch whose writing failed, or may have failed, is written again under its
 * number, and the database takes no number twice: nothing is lost and nothing counted double.
 */
export function createUsage({ db, log, now = Date.now, maxBuffered = 100_000 }: createUsage.Settings): Usage {
  const writer = crypto.randomUUID()
  const pending = createWriteBuffer(maxBuffered)
  const monthOf = createMonthClock(now())
  // The batch that is being written, or whose writing has failed; empty once it is in.
  let batch = { number: 0, counts: [] as readonly Count[] }
  let written = 0
  let failures = 0
  let lost = nothing
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> | undefined

  function note(keyId: string, operation: string, change: { calls: number; refused: number }): void {
    const atMs = now()
    const lastCallAtMs = change.calls > 0 ? atMs : undefined
    if (!pending.add({ keyId, month: monthOf(atMs), operation, ...change, lastCallAtMs })) {
      // Said once, and summed up when the database is back: it would be said for every call.
      if (lost === nothing) log.error({ keyId, operation, ...change }, 'cannot record usage: the write buffer is full')
      lost = { calls: lost.calls + change.calls, refused: lost.refused + change.refused }
    }
    writeSoon()
  }
  function writeSoon(): void {
    if (isClosed || writing || timer !== undefined) return
    const hasFailed = batch.counts.length > 0
    if (!hasFailed && pending.size === 0) return
    const delayMs = hasFailed ? Math.min(gatherMs * 2 ** failures, maxRetryMs) : gatherMs
    // Whoever waits for the writing hears of its failure; here nobody does.
    timer = setTimeout(() => void write().catch(() => {}), delayMs)
  }
  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeNext().finally(() => {
      writing = undefined
      writeSoon()
    })
    return writing
  }
  async function writeNext(): Promise<void> {
    if (batch.counts.length === 0) batch = { number: batch.number + 1, counts: pending.take() }
    try {
      await writeBatch(db, writer, batch)
    } catch (error) {
      if (failures === 0)
        log.error(
          { err: error, waiting: batch.counts.length },
          'cannot write usage: it stays in memory until a retry succeeds',
        )
      failures += 1
      throw toStorageError(error)
    }
    written = batch.number
    batch = { ...batch, counts: [] }
    if (failures > 0) log.info({ failures }, 'usage is written again')
    failures = 0
    if (lost !== nothing) log.error(lost, 'usage lost: the write buffer was full')
    lost = nothing
  }
  async function flush(): Promise<void> {
    // What was counted since the last batch was taken is part of the next one. What comes later is not waited for.
    const last = pending.size > 0 ? batch.number + 1 : batch.number
    const isIn = () => written >= last
    while (!isIn()) await write()
  }
  async function tryFlush(): Promise<boolean> {
    try {
      await flush()
      return true
    } catch {
      await new Promise((resolve) => setTimeout(resolve, gatherMs))
      return false
    }
  }
  const countUnwritten = () => pending.sumCalls() + sumCalls(batch.counts)
  return {
    count: (keyId, operation, calls = 1) => note(keyId, operation, { calls, refused: 0 }),
    refuse: (keyId, operation, refused = 1) => note(keyId, operation, { calls: 0, refused }),
    flush,
    async readMonth(wanted) {
      await flush()
      const rows = db.select().from(table).where(eq(table.month, wanted)).orderBy(table.keyId, table.operation)
      return await rows.catch(rethrowStorage)
    },
    async readCalls(keyId, wanted) {
      await flush()
      const rows = db
        .select({ calls: sum(table.calls) })
        .from(table)
        .where(and(eq(table.keyId, keyId), eq(table.month, wanted)))
      return Number((await rows.catch(rethrowStorage))[0]?.calls ?? 0)
    },
    async readLastUsed() {
      const rows = db
        .select({ keyId: table.keyId, at: max(table.lastCallAt) })
        .from(table)
        .groupBy(table.keyId)
      return new Map((await rows.catch(rethrowStorage)).flatMap(({ keyId, at }) => (at ? [[keyId, at]] : [])))
    },
    countUnwritten,
    async close() {
      const { promise: isLate, resolve } = Promise.withResolvers<boolean>()
      const deadline = setTimeout(resolve, closeWithinMs, true)
      let isOver = false
      while (!isOver) isOver = await Promise.race([isLate, tryFlush()])
      clearTimeout(deadline)
      isClosed = true
      clearTimeout(timer)
      const isLost = pending.size > 0 || batch.counts.length > 0
      if (isLost) log.error({ calls: countUnwritten() }, 'usage lost: it could not be written before shutdown')
    },
  }
}

export declare namespace createUsage {
  type Settings = Pick<Database, 'db'> & {
    readonly log: StoreLog
    readonly now?: (() => number) | undefined
    /** How many different counts (by key, month and operation) are kept while the database is away. */
    readonly maxBuffered?: number | undefined
  }
}

/** Every method that reads throws `svc/storage-unavailable` if the database cannot be reached. */
export type Usage = {
  /** Counts admitted calls of a key. */
  count(keyId: string, operation: string, calls?: number): void
  /** Counts calls of a key that a limit has refused. */
  refuse(keyId: string, operation: string, calls?: number): void
  /** Writes all that was counted until now. */
  flush(): Promise<void>
  /** What was called in a month. What other processes counted in the last moment may be missing. */
  readMonth(month: Month.Month): Promise<readonly UsageRow[]>
  /** How often a key was admitted in a month. */
  readCalls(keyId: string, month: Month.Month): Promise<number>
  /** When each key was last admitted; keys that never were are absent. */
  readLastUsed(): Promise<ReadonlyMap<string, Date>>
  /** How many calls are counted and not yet written. */
  countUnwritten(): number
  /** Writes what is left, for as long as five seconds. */
  close(): Promise<void>
}

export type UsageRow = typeof table.$inferSelect

function rethrowStorage(error: unknown): never {
  throw toStorageError(error)
}

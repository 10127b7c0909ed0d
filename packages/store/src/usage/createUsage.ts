import { Day } from '@agio/core'
import type { Database } from '../database/Database.ts'
import type { StoreLog } from '../log/StoreLog.ts'
import { createBatchWriter } from './createBatchWriter.ts'
import { createFlusher } from './createFlusher.ts'
import { createUsageQueries } from './createUsageQueries.ts'
import { deleteOldUsage } from './deleteOldUsage.ts'
import { createWriteBuffer } from './createWriteBuffer.ts'

type Calls = { readonly calls: number; readonly refused: number }

/**
 * Records and reads the usage of keys: in memory at once, and in the database a moment later. Every method that reads throws
 * `svc/storage-unavailable` if the database cannot be reached.
 */
export function createUsage({ db, assertWritable, log, now = Date.now, maxBuffered = 100_000 }: Dependencies) {
  const buffer = createWriteBuffer(maxBuffered)
  const writer = createBatchWriter({ db, assertWritable, log, buffer })
  const losses = createLossLog(log)
  const { schedule, flush, close } = createFlusher(writer, { onWritten: losses.report })

  function record(keyId: string, operation: string, calls: Calls): void {
    const atMs = now()
    const lastCallAtMs = calls.calls > 0 ? atMs : undefined
    const isBuffered = buffer.add({ keyId, day: Day.at(atMs), operation, ...calls, lastCallAtMs })
    if (!isBuffered) losses.add({ keyId, operation, ...calls })
    schedule()
  }
  return {
    /** Records admitted calls of a key. */
    count: (keyId: string, operation: string, calls = 1) => record(keyId, operation, { calls, refused: 0 }),
    /** Records calls of a key that a limit refused. */
    refuse: (keyId: string, operation: string, refused = 1) => record(keyId, operation, { calls: 0, refused }),
    /** Writes all counts recorded until now. */
    flush,
    ...createUsageQueries(db, flush),
    /** Deletes the usage of whole months that ended before a number of days. The current month remains. */
    deleteBefore: (days: number, signal?: AbortSignal) => deleteOldUsage({ db, assertWritable }, days, signal),
    /** Returns the admitted calls that are not yet written. */
    countUnwritten: writer.countUnwritten,
    /** Returns whether the last write succeeded, or no write was necessary yet. */
    isWritable: () => writer.countFailures() === 0,
    /** Flushes for at most five seconds, and logs lost counts. */
    async close(): Promise<void> {
      await close()
      if (!writer.hasUnwritten()) return
      log.error({ calls: writer.countUnwritten() }, 'usage lost: it could not be written before shutdown')
    },
  }
}

type Dependencies = Pick<Database, 'db'> & {
  readonly assertWritable?: Database['assertWritable'] | undefined
  readonly log: StoreLog
  readonly now?: (() => number) | undefined
  /** Maximum number of combinations of key, day and operation that are buffered; 100,000 by default. */
  readonly maxBuffered?: number | undefined
}

/** The usage of keys. */
export type Usage = ReturnType<typeof createUsage>

/**
 * Logs calls that were dropped because the buffer was full: the first call at once, and their sum after the next write.
 */
function createLossLog(log: StoreLog) {
  let lost: Calls | undefined
  return {
    add({ calls, refused, ...key }: Calls & { readonly keyId: string; readonly operation: string }) {
      // One line per call would flood the log.
      if (!lost) log.error({ ...key, calls, refused }, 'cannot record usage: the write buffer is full')
      lost = { calls: (lost?.calls ?? 0) + calls, refused: (lost?.refused ?? 0) + refused }
    },
    report() {
      if (lost) log.error(lost, 'usage lost: the write buffer was full')
      lost = undefined
    },
  }
}

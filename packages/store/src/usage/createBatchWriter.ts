import type { Database } from '../database/Database.ts'
import { toStorageError } from '../database/toStorageError.ts'
import type { StoreLog } from '../log/StoreLog.ts'
import { sumCalls, type Count, type WriteBuffer } from './createWriteBuffer.ts'
import { writeBatch } from './writeBatch.ts'

/**
 * Writes the counts of a buffer in numbered batches. A batch whose write may have failed is written again under the
 * same number. The database accepts each number once, so every count is written exactly once.
 */
export function createBatchWriter({
  db,
  assertWritable = async () => {},
  log,
  buffer,
}: createBatchWriter.Dependencies): BatchWriter {
  const id = crypto.randomUUID()
  // The batch has no counts after it is written.
  let batch = { number: 0, counts: [] as readonly Count[] }
  let written = 0
  let failures = 0
  function logFailure(error: unknown): void {
    if (failures === 0) {
      const fields = { err: error, waiting: batch.counts.length }
      log.error(fields, 'cannot write usage: it stays in memory until a retry succeeds')
    }
    failures += 1
  }
  return {
    async write() {
      if (batch.counts.length === 0) batch = { number: batch.number + 1, counts: buffer.take() }
      try {
        await assertWritable()
        await writeBatch(db, id, batch)
      } catch (error) {
        logFailure(error)
        throw toStorageError(error)
      }
      written = batch.number
      batch = { ...batch, counts: [] }
      if (failures > 0) log.info({ failures }, 'usage is written again')
      failures = 0
    },
    hasUnwritten: () => buffer.size > 0 || batch.counts.length > 0,
    countUnwritten: () => buffer.sumCalls() + sumCalls(batch.counts),
    countFailures: () => failures,
    nextNumber: () => (buffer.size > 0 ? batch.number + 1 : batch.number),
    isWritten: (number) => written >= number,
  }
}

export declare namespace createBatchWriter {
  type Dependencies = Pick<Database, 'db'> & {
    readonly assertWritable?: Database['assertWritable'] | undefined
    readonly log: StoreLog
    readonly buffer: WriteBuffer
  }
}

/** Writes counts to the database, in numbered batches. */
export type BatchWriter = {
  /** Writes the batch that failed, or else the counts of the buffer. @throws `svc/storage-unavailable` */
  write(): Promise<void>
  /** Returns whether any count is unwritten, in the buffer or in a batch. */
  hasUnwritten(): boolean
  /** Returns the admitted calls that are not written. */
  countUnwritten(): number
  /** Returns the number of failed writes since the last success. */
  countFailures(): number
  /** Returns the number of the batch that will hold the newest count. */
  nextNumber(): number
  isWritten(number: number): boolean
}

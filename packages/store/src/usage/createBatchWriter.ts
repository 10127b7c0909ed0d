import type { Database } from '../database/Database.ts'
import { isRefusedData, toStorageError } from '../database/toStorageError.ts'
import type { StoreLog } from '../log/StoreLog.ts'
import { sumCalls, type Count, type WriteBuffer } from './createWriteBuffer.ts'
import { writeBatch } from './writeBatch.ts'

/**
 * Writes the counts of a buffer in numbered batches. A batch whose write may have failed is written again under the
 * same number. The database accepts each number once, so every count is written exactly once.
 *
 * An error may pass, or an operator may repair its cause. So the batch waits, and later counts wait in the buffer. Only a count
 * that the database refuses for its own data is given up, because no retry can write it. The batch is halved until this count
 * is alone. The count is logged with all its fields, so that an operator can add it, and all others are written.
 */
export function createBatchWriter({ db, assertWritable = async () => {}, log, buffer }: Dependencies) {
  const id = crypto.randomUUID()
  // The counts that were taken from the buffer and are not written yet. The first batch is written next.
  let batches: (readonly Count[])[] = []
  let number = 1
  // How often the buffer was emptied, and how many of these times everything was written.
  let [taken, written] = [0, 0]
  let failures = 0
  async function writeTaken(): Promise<void> {
    if (batches.length === 0) {
      batches.push(buffer.take())
      taken += 1
    }
    for (let [counts] = batches; counts; [counts] = batches) {
      await assertWritable()
      const rest = await writeOrDivide(counts)
      batches = [...rest, ...batches.slice(1)]
    }
    written = taken
  }
  /** Writes a batch. Returns its halves if the database refuses it, and gives it up if it has one count. */
  async function writeOrDivide(counts: readonly Count[]): Promise<readonly (readonly Count[])[]> {
    try {
      await writeBatch(db, id, { number, counts })
      number += 1
      return []
    } catch (error) {
      if (!isRefusedData(error)) throw error
      const middle = Math.floor(counts.length / 2)
      if (middle > 0) return [counts.slice(0, middle), counts.slice(middle)]
      log.error({ ...counts[0], err: error }, 'usage lost: the database refuses this count')
      return []
    }
  }
  function logFailure(error: unknown): void {
    if (failures === 0) {
      const fields = { err: error, waiting: batches.flat().length }
      log.error(fields, 'cannot write usage: it stays in memory until a retry succeeds')
    }
    failures += 1
  }
  return {
    /** Writes the counts of the write that failed, or else the counts of the buffer. @throws `svc/storage-unavailable` */
    async write(): Promise<void> {
      try {
        await writeTaken()
      } catch (error) {
        logFailure(error)
        throw toStorageError(error)
      }
      if (failures > 0) log.info({ failures }, 'usage is written again')
      failures = 0
    },
    /** Returns whether any count is unwritten, in the buffer or in a batch. */
    hasUnwritten: () => buffer.size > 0 || batches.length > 0,
    /** Returns the admitted calls that are not written. */
    countUnwritten: () => buffer.sumCalls() + sumCalls(batches.flat()),
    /** Returns the number of failed writes since the last success. */
    countFailures: () => failures,
    /** Returns the number of the write that includes the newest count. */
    nextNumber: () => (buffer.size > 0 ? taken + 1 : taken),
    isWritten: (last: number) => written >= last,
  }
}

type Dependencies = Pick<Database, 'db'> & {
  readonly assertWritable?: Database['assertWritable'] | undefined
  readonly log: StoreLog
  readonly buffer: WriteBuffer
}

/** Writes counts to the database, in numbered batches. */
export type BatchWriter = ReturnType<typeof createBatchWriter>

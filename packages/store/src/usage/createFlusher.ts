import { Async } from '@agio/core'
import type { BatchWriter } from './createBatchWriter.ts'

// A killed process loses what it gathered within this time, and a write in flight.
const defaultGatherMs = 150
const retryPauseMs = 150
const maxRetryMs = 2000
const closeTimeoutMs = 5000

/**
 * Decides when a batch writer writes: one batch at a time, shortly after the first row of the batch, and after a longer delay
 * with each failure.
 */
export function createFlusher(writer: BatchWriter, { gatherMs = defaultGatherMs, onWritten = () => {} }: Options = {}) {
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> | undefined

  function schedule(): void {
    if (isClosed || writing || timer !== undefined || !writer.hasUnwritten()) return
    const delayMs = Math.min(gatherMs * 2 ** writer.countFailures(), maxRetryMs)
    // A scheduled write ignores the error, because the next write is already scheduled. Callers of `flush` receive it.
    timer = setTimeout(() => void write().catch(() => {}), delayMs)
  }
  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= writer
      .write()
      .then(onWritten)
      .finally(() => {
        writing = undefined
        schedule()
      })
    return writing
  }
  async function flush(): Promise<void> {
    // Later rows are in later batches.
    const last = writer.nextNumber()
    while (!writer.isWritten(last)) await write()
  }
  return {
    /** Schedules a write, unless one is scheduled or in flight. */
    schedule,
    /** Writes everything recorded until now. @throws `svc/storage-unavailable` */
    flush,
    /** Flushes for at most five seconds, then stops writing. */
    async close(): Promise<void> {
      await retryUntilTimeout(flush)
      isClosed = true
      clearTimeout(timer)
    },
  }
}

type Options = {
  /** Rows within this time share one write; 150 ms by default. */
  readonly gatherMs?: number
  /** Runs after each successful write. */
  readonly onWritten?: () => void
}

/** Repeats an operation until it succeeds, for at most five seconds in which this process runs. Never rejects. */
async function retryUntilTimeout(operation: () => Promise<void>): Promise<void> {
  const { promise: isLate, resolve } = Promise.withResolvers<boolean>()
  const cancel = Async.startTimeLimit(closeTimeoutMs, () => resolve(true))
  let isOver = false
  while (!isOver) isOver = await Promise.race([isLate, tryWithPause(operation)])
  cancel()
}

/** Returns whether an operation succeeds. Waits after a failure. */
async function tryWithPause(operation: () => Promise<void>): Promise<boolean> {
  try {
    await operation()
    return true
  } catch {
    await new Promise((resolve) => setTimeout(resolve, retryPauseMs))
    return false
  }
}

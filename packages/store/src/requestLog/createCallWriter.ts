import { ServiceError } from '@agio/core'
import { sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { requestLog } from '../database/schema.ts'
import { isServerFailure, toStorageError } from '../database/toStorageError.ts'
import type { StoreLog } from '../log/StoreLog.ts'
import type { BatchWriter } from '../usage/createBatchWriter.ts'
import type { CallBuffer } from './createCallBuffer.ts'
import type { CallRecord } from './LoggedCall.ts'

// The embedded database stops the process for the time of a write.
const maxBatchCalls = 1000

// With the pauses of the flusher, a server has about ten seconds to recover.
const maxServerFailures = 5

/**
 * Writes the calls of a buffer in batches. While the database is unavailable, the batch waits and the buffer fills. The ids
 * of the calls keep a batch from being written twice. A batch that the database refuses, or at which it fails again and again,
 * is dropped, because it would stop all later batches.
 */
export function createCallWriter({ db, assertWritable, log, buffer }: Dependencies): BatchWriter {
  let batch = { number: 0, calls: [] as readonly CallRecord[] }
  let written = 0
  let failures = 0
  let serverFailures = 0
  function finish(): void {
    written = batch.number
    batch = { ...batch, calls: [] }
    serverFailures = 0
  }
  /** Handles a failed write. @throws the error, if the batch waits */
  function fail(cause: unknown): void {
    const error = toStorageError(cause)
    if (failures === 0) log.error({ err: error, waiting: batch.calls.length }, 'cannot write the request log')
    failures += 1
    serverFailures = isServerFailure(cause) ? serverFailures + 1 : 0
    if (error instanceof ServiceError && serverFailures < maxServerFailures) throw error
    log.error({ err: error, calls: batch.calls.length }, 'request log lost: the database refuses it')
    buffer.drop('lost', batch.calls.length)
    finish()
  }
  return {
    async write() {
      if (batch.calls.length === 0) batch = { number: batch.number + 1, calls: buffer.take(maxBatchCalls) }
      try {
        await assertWritable()
        await insertCalls(db, batch.calls)
      } catch (cause) {
        return fail(cause)
      }
      finish()
      if (failures > 0) log.info({ failures }, 'the request log is written again')
      failures = 0
    },
    hasUnwritten: () => buffer.size > 0 || batch.calls.length > 0,
    countUnwritten: () => buffer.size + batch.calls.length,
    countFailures: () => failures,
    nextNumber: () => batch.number + Math.ceil(buffer.size / maxBatchCalls),
    isWritten: (number) => written >= number,
  }
}

type Dependencies = Pick<Database, 'db' | 'assertWritable'> & { readonly log: StoreLog; readonly buffer: CallBuffer }

async function insertCalls(db: Database['db'], calls: readonly CallRecord[]): Promise<void> {
  const rows = calls.map((call) => ({
    id: call.id,
    key_id: call.keyId,
    at: new Date(call.atMs).toISOString(),
    request_id: call.requestId,
    operation: call.operation,
    status: call.status,
    code: call.code,
    ms: call.ms,
    queue_ms: call.queueMs,
    node_ms: call.nodeMs,
    node_requests: call.nodeRequests,
    input: call.input,
    nearest_input: call.nearestInput,
    transaction_hash: call.transactionHash,
  }))
  // One parameter for all rows: a statement has at most 65,535.
  await db.execute(sql`
    insert into ${requestLog} (id, key_id, at, request_id, operation, status, code, ms, queue_ms, node_ms, node_requests,
      input, nearest_input, transaction_hash)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as added (id uuid, key_id text, at timestamptz,
      request_id text, operation text, status integer, code text, ms real, queue_ms real, node_ms real,
      node_requests integer, input text, nearest_input text, transaction_hash text)
    on conflict (id) do nothing
  `)
}

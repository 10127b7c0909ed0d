import { sql } from 'drizzle-orm'
import { index, integer, pgTable, real, text, uuid } from 'drizzle-orm/pg-core'
import { time } from './columns.ts'

/** The latest calls of each key. */
export const requestLog = pgTable(
  'request_log',
  {
    /** A UUID of version 7, which sorts by the time of the request. */
    id: uuid().primaryKey(),
    keyId: text('key_id').notNull(),
    /** When the request arrived. */
    at: time('at').notNull(),
    requestId: text('request_id').notNull(),
    operation: text().notNull(),
    status: integer().notNull(),
    code: text(),
    /** Milliseconds in all, waiting for a turn at the nodes, and waiting for nodes. */
    ms: real().notNull(),
    queueMs: real('queue_ms').notNull(),
    nodeMs: real('node_ms').notNull(),
    nodeRequests: integer('node_requests').notNull(),
    /** The redacted input, as JSON text. */
    input: text(),
    /** The fields of the nearest input that works, as JSON text. */
    nearestInput: text('nearest_input'),
    transactionHash: text('transaction_hash'),
  },
  (table) => [
    index().on(table.keyId, table.id),
    index().on(table.requestId),
    index()
      .on(table.transactionHash)
      .where(sql`${table.transactionHash} is not null`),
  ],
)

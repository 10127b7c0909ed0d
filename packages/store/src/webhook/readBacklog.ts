import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { apiKeys, followedTransactions, webhookDeliveries, webhooks } from '../database/schema.ts'

/** What waits in the queues of webhooks. */
export type Backlog = {
  /** Messages that may be sent now, and seconds since the oldest of them was due. */
  readonly dueMessages: number
  readonly oldestDueSeconds: number
  /** Messages that wait for a retry, or for an earlier message, and seconds since the oldest of them was created. */
  readonly waitingMessages: number
  readonly oldestWaitingSeconds: number
  /** Followed transactions that wait for their next observation, that are due, and that have been due for over a minute. */
  readonly waitingTransactions: number
  readonly dueTransactions: number
  readonly lateTransactions: number
}

/** Reads what waits in the queues of webhooks. Messages and transactions of keys that may no longer be used are not counted. */
export async function readBacklog(db: Database['db']): Promise<Backlog> {
  const [messages, transactions] = await Promise.all([readRow(db, messageCounts), readRow(db, transactionCounts)])
  const value = (row: Row, name: string) => Number(row[name] ?? 0)
  return {
    dueMessages: value(messages, 'due'),
    oldestDueSeconds: value(messages, 'oldest_due'),
    waitingMessages: value(messages, 'waiting'),
    oldestWaitingSeconds: value(messages, 'oldest_waiting'),
    waitingTransactions: value(transactions, 'waiting'),
    dueTransactions: value(transactions, 'due'),
    lateTransactions: value(transactions, 'late'),
  }
}

type Row = Readonly<Record<string, unknown>>

async function readRow(db: Database['db'], query: SQL): Promise<Row> {
  const result: unknown = await db.execute(query)
  const { rows } = result as { readonly rows: readonly Row[] }
  return rows[0] ?? {}
}

const isUsable = sql`key.revoked_at is null and (key.expires_at is null or key.expires_at > now())`

const messageCounts = sql`
  select count(*) filter (where message.due_at <= now()) as due,
    extract(epoch from now() - min(message.due_at) filter (where message.due_at <= now())) as oldest_due,
    count(*) filter (where message.due_at > now()) as waiting,
    extract(epoch from now() - min(message.created_at) filter (where message.due_at > now())) as oldest_waiting
  from ${webhookDeliveries} as message
    join ${webhooks} as webhook on webhook.id = message.webhook_id
    join ${apiKeys} as key on key.id = webhook.key_id and ${isUsable}
  where message.status = 'pending'`

// An observed transaction is due again at the next block, and without a block after 15 seconds.
const lateAfter = sql.raw("interval '1 minute'")
const lateAt = sql`greatest(followed.due_at, coalesce(followed.checked_at, followed.due_at)) + ${lateAfter}`

const transactionCounts = sql`
  select count(*) filter (where followed.due_at > now()) as waiting,
    count(*) filter (where followed.due_at <= now() and ${lateAt} > now()) as due,
    count(*) filter (where followed.due_at <= now() and ${lateAt} <= now()) as late
  from ${followedTransactions} as followed
    join ${apiKeys} as key on key.id = followed.key_id and ${isUsable}
  where followed.ended_at is null and exists (select from ${webhooks} as webhook where webhook.key_id = followed.key_id)`

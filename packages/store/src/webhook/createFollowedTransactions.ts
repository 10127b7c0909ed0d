import { Errors, Tier, TransactionState } from '@agio/core'
import { and, count, desc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '../database/Database.ts'
import { followedTransactions } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import { lockKey } from './createWebhooks.ts'
import type { FollowedTransaction, NewTransaction, TransactionKey } from './Webhook.ts'

// Longer than a broadcast takes. After this time, the transaction of a killed process is observed too.
const maxSendingTime = sql.raw("interval '30 seconds'")

/** Creates functions that add, remove and list the transactions that keys follow. */
export function createFollowedTransactions({ db, transact }: Pick<Database, 'db' | 'transact'>) {
  return {
    /**
     * Follows a transaction that a key is about to broadcast. Observation begins with `startObserving`, or after half a
     * minute, so that a transaction that a node refuses is not observed. A transaction in its final state stays ended.
     *
     * @returns whether the transaction is newly followed
     */
    async follow(transaction: NewTransaction): Promise<boolean> {
      const [row] = await upsertFollowed(db, transaction).catch(throwStorageError)
      return row?.isNew === true
    },
    /**
     * Follows a transaction that a key registers.
     *
     * @throws `svc/webhook-limit` if the key has registered a thousand transactions that have not ended
     */
    async followRegistered(transaction: NewTransaction): Promise<FollowedTransaction> {
      await transact(async (tx) => {
        await lockKey(tx, transaction.keyId)
        const { keyId, isRegistered, endedAt } = followedTransactions
        const earlier = await tx.select({ endedAt }).from(followedTransactions).where(isFollowed(transaction))
        if (earlier.length > 0) return
        const isOpen = and(eq(keyId, transaction.keyId), isRegistered, isNull(endedAt))
        const [open] = await tx.select({ transactions: count() }).from(followedTransactions).where(isOpen)
        if ((open?.transactions ?? 0) >= Tier.maxFollowed)
          throw Errors.webhookLimit({ count: Tier.maxFollowed, kind: 'followed transactions' })
        await tx
          .insert(followedTransactions)
          .values({ ...transaction, isRegistered: true })
          .onConflictDoNothing()
      }).catch(throwStorageError)
      const [found] = await db
        .select()
        .from(followedTransactions)
        .where(isFollowed(transaction))
        .catch(throwStorageError)
      return toFollowed(found as typeof followedTransactions.$inferSelect)
    },
    /** Starts the observation of a transaction that has been sent. */
    async startObserving(transaction: TransactionKey): Promise<void> {
      const isHeld = and(isFollowed(transaction), gt(followedTransactions.dueAt, sql`now()`))
      await db
        .update(followedTransactions)
        .set({ dueAt: sql`now()` })
        .where(isHeld)
        .catch(throwStorageError)
    },
    /** Stops following a transaction that was refused before it was sent, unless it has been observed. */
    async unfollowUnsent(transaction: TransactionKey): Promise<void> {
      // Another broadcast of the transaction has raised the version, and may have sent it.
      const isUnseen = and(
        isFollowed(transaction),
        isNull(followedTransactions.status),
        eq(followedTransactions.version, 0),
      )
      await db.delete(followedTransactions).where(isUnseen).catch(throwStorageError)
    },
    /** Returns the newest transactions that a key follows or followed. */
    async listFollowed(keyId: string, limit: number): Promise<readonly FollowedTransaction[]> {
      const rows = db
        .select()
        .from(followedTransactions)
        .where(eq(followedTransactions.keyId, keyId))
        .orderBy(desc(followedTransactions.createdAt))
        .limit(limit)
      return (await rows.catch(throwStorageError)).map(toFollowed)
    },
  }
}

type Db = Database['db']

const isFinal = sql`coalesce(${followedTransactions.status} ~ ${TransactionState.finalPattern}, false)`

/**
 * Follows a broadcast transaction. Starts again if the followed transaction has ended before its final state, or was never
 * observed. A final transaction stays ended, because its events have been sent.
 */
function upsertFollowed(db: Db, transaction: NewTransaction) {
  const table = followedTransactions
  const sentBy = sql`now() + ${maxSendingTime}`
  const isRestart = sql`(${table.endedAt} is not null or ${table.status} is null)`
  const ifRestart = (value: SQL, kept: SQL | AnyPgColumn) => sql`case when ${isRestart} then ${value} else ${kept} end`
  return db
    .insert(followedTransactions)
    .values({ ...transaction, dueAt: sentBy })
    .onConflictDoUpdate({
      target: [table.keyId, table.chainId, table.transactionHash],
      set: {
        version: sql`${table.version} + 1`,
        signedTransaction: ifRestart(sql`excluded.signed_transaction`, table.signedTransaction),
        cursor: ifRestart(sql`excluded.cursor`, table.cursor),
        traceparent: ifRestart(sql`excluded.traceparent`, table.traceparent),
        status: ifRestart(sql`null`, table.status),
        createdAt: ifRestart(sql`now()`, table.createdAt),
        dueAt: ifRestart(sentBy, sql`now()`),
        endedAt: sql`null`,
        checkedHead: sql`null`,
        checkedNumber: sql`null`,
      },
      setWhere: sql`not ${isFinal}`,
    })
    .returning({ isNew: sql<boolean>`(xmax = 0)` })
}

function isFollowed({ keyId, chainId, transactionHash }: TransactionKey) {
  return and(
    eq(followedTransactions.keyId, keyId),
    eq(followedTransactions.chainId, chainId),
    eq(followedTransactions.transactionHash, transactionHash),
  )
}

function toFollowed({
  chainId,
  transactionHash,
  status,
  createdAt,
  endedAt,
}: typeof followedTransactions.$inferSelect) {
  const state = TransactionState.parse(status ?? '')
  return { chainId, transactionHash, state, createdAt, endedAt: endedAt ?? undefined }
}

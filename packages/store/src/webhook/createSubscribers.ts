import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { apiKeys, webhooks } from '../database/schema.ts'
import { createTableCache } from '../database/createTableCache.ts'

/** Keeps in memory which keys have webhooks, so that broadcasts of other keys need no query. */
export function createSubscribers(db: Database['db']): Subscribers {
  const table = createTableCache(() => readSubscribers(db), {
    keyIds: new Set<string>(),
    hasPools: false,
    hasEnabled: false,
  })
  return {
    followsTransactions: (keyId) => table.get().keyIds.has(keyId),
    followsPools: () => table.get().hasPools,
    hasEnabled: () => table.get().hasEnabled,
    refresh: () => table.refresh(),
  }
}

/** Which events have subscribers, from memory. */
export type Subscribers = {
  /**
   * Returns from memory whether a key has an enabled webhook for its transactions. The result is at most two seconds
   * old. For a change by a process of an earlier version, it is at most twelve seconds old.
   */
  followsTransactions(keyId: string): boolean
  /** Returns from memory whether any enabled webhook receives market events. */
  followsPools(): boolean
  /** Returns from memory whether any webhook is enabled. */
  hasEnabled(): boolean
  /** Reads the changes of other processes. */
  refresh(): Promise<void>
}

async function readSubscribers(db: Database['db']) {
  const rows = await db
    .select({
      keyId: webhooks.keyId,
      transactions: sql<boolean>`bool_or(${webhooks.events}::text like '%"transaction.%')`,
      markets: sql<boolean>`bool_or(${webhooks.events}::text like '%"market.%')`,
    })
    .from(webhooks)
    .innerJoin(apiKeys, eq(apiKeys.id, webhooks.keyId))
    .where(and(isNull(webhooks.disabledAt), isNull(apiKeys.revokedAt)))
    .groupBy(webhooks.keyId)
  return {
    keyIds: new Set(rows.filter(({ transactions }) => transactions).map(({ keyId }) => keyId)),
    hasPools: rows.some(({ markets }) => markets),
    hasEnabled: rows.length > 0,
  }
}

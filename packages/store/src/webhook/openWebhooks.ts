import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import type { Keyring } from '../encryption/createKeyring.ts'
import { createDeliveryHistory } from './createDeliveryHistory.ts'
import { createDeliveryQueue } from './createDeliveryQueue.ts'
import { createObservationQueue } from './createObservationQueue.ts'
import { createFollowedTransactions } from './createFollowedTransactions.ts'
import { createWebhooks } from './createWebhooks.ts'
import { apiKeys, webhooks } from '../database/schema.ts'
import { createTableCache } from '../database/createTableCache.ts'

/** Opens the webhooks of a database, and the queues of this process. */
export function openWebhooks(database: Database & { readonly keyring: Keyring }) {
  const owner = crypto.randomUUID()
  const subscribers = createSubscribers(database.db)
  // If this read fails, the next poll reads the change.
  const refresh = () => subscribers.refresh().catch(() => {})
  return {
    ...subscribers,
    ...createWebhooks(database, refresh),
    ...createDeliveryHistory(database, refresh),
    ...createFollowedTransactions(database),
    /** The queue of transactions to observe. */
    observations: createObservationQueue(database, owner),
    /** The queue of deliveries to send. */
    deliveries: createDeliveryQueue(database),
  }
}

/** The webhooks of keys, their deliveries, the transactions that keys follow, and the queues of this process. */
export type WebhookStore = ReturnType<typeof openWebhooks>

/** Keeps in memory which keys have webhooks, so that broadcasts of other keys need no query. */
function createSubscribers(db: Database['db']) {
  const table = createTableCache(() => readSubscribers(db), {
    keyIds: new Set<string>(),
    hasPools: false,
    hasEnabled: false,
  })
  return {
    /**
     * Returns from memory whether a key has an enabled webhook for its transactions. The result is at most two seconds
     * old. For a change by a process of an earlier version, it is at most twelve seconds old.
     */
    followsTransactions: (keyId: string) => table.get().keyIds.has(keyId),
    /** Returns from memory whether any enabled webhook receives market events. */
    followsPools: () => table.get().hasPools,
    /** Returns from memory whether any webhook is enabled. */
    hasEnabled: () => table.get().hasEnabled,
    /** Reads the changes of other processes. */
    refresh: () => table.refresh(),
  }
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

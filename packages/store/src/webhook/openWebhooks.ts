import type { Database } from '../database/Database.ts'
import type { Keyring } from '../encryption/createKeyring.ts'
import { createDeliveryHistory, type DeliveryHistory } from './createDeliveryHistory.ts'
import { createDeliveryQueue, type DeliveryQueue } from './createDeliveryQueue.ts'
import { createObservationQueue, type ObservationQueue } from './createObservationQueue.ts'
import { createFollowedTransactions, type FollowedTransactions } from './createFollowedTransactions.ts'
import { createSubscribers, type Subscribers } from './createSubscribers.ts'
import { createWebhooks, type Webhooks } from './createWebhooks.ts'

/** Opens the webhooks of a database, and the queues of this process. */
export function openWebhooks(database: Database & { readonly keyring: Keyring }): WebhookStore {
  const owner = crypto.randomUUID()
  const subscribers = createSubscribers(database.db)
  // If this read fails, the next poll reads the change.
  const refresh = () => subscribers.refresh().catch(() => {})
  return {
    ...subscribers,
    ...createWebhooks(database, refresh),
    ...createDeliveryHistory(database, refresh),
    ...createFollowedTransactions(database),
    observations: createObservationQueue(database, owner),
    deliveries: createDeliveryQueue(database),
  }
}

/** The webhooks of keys, their deliveries, the transactions that keys follow, and the queues of this process. */
export type WebhookStore = Subscribers &
  Webhooks &
  DeliveryHistory &
  FollowedTransactions & {
    /** The queue of transactions to observe. */
    readonly observations: ObservationQueue
    /** The queue of deliveries to send. */
    readonly deliveries: DeliveryQueue
  }

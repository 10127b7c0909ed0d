import type { Database } from '../database/Database.ts'
import { createDeliveryQueue, type DeliveryQueue } from './createDeliveryQueue.ts'
import { createWatchQueue, type WatchQueue } from './createWatchQueue.ts'
import { createWebhooks, type Webhooks } from './createWebhooks.ts'

/** Opens the webhooks of a database, and the queues of this process. */
export function openWebhooks(database: Database): WebhookStore {
  const owner = crypto.randomUUID()
  return {
    ...createWebhooks(database),
    watches: createWatchQueue(database, owner),
    deliveries: createDeliveryQueue(database),
  }
}

export type WebhookStore = Webhooks & {
  /** The queue of transactions to observe. */
  readonly watches: WatchQueue
  /** The queue of deliveries to send. */
  readonly deliveries: DeliveryQueue
}

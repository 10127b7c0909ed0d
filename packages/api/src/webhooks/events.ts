import { TransactionState } from '@agio/core'
import { z } from 'zod'

/** The types of events of a transaction: one for each status. */
export const transactionEvents = TransactionState.statuses.map((status) => `transaction.${status}` as const)

/** The types of events of a market. */
const marketEvents = ['market.stale', 'market.frozen', 'market.reopened'] as const

/** All event types that a webhook can subscribe to. */
export const webhookEvents = [...transactionEvents, ...marketEvents] as const

/** All types of events that are delivered: also the event that only `webhooks/{id}/test` sends. */
export const deliveredEvents = [...webhookEvents, 'webhook.test'] as const

/** The type of a webhook event of a market. */
export type MarketEvent = (typeof marketEvents)[number]

/** An event type that a webhook can subscribe to. */
export type WebhookEventType = (typeof webhookEvents)[number]

/** The type of an event that is delivered. */
export type DeliveredEventType = (typeof deliveredEvents)[number]

/** The type of an event, in a request or a response. */
export const webhookEvent = z
  .enum(webhookEvents)
  .meta({ description: 'Type of an event', example: 'transaction.finalized' })

/** The type of a delivered event, in a response. */
export const deliveredEvent = z
  .enum(deliveredEvents)
  .meta({ description: 'Type of a delivered event', example: 'transaction.finalized' })

// A message should be smaller than 20 kB, by the specification.
const maxBytes = 20_000

/** Returns the body of an event, of at most 20 kB. Omits the text of a revert if it is too long. */
export function formatEvent({ type, data }: Event, nowMs: number): string {
  const timestamp = new Date(nowMs).toISOString()
  const body = JSON.stringify({ type, timestamp, data })
  if (Buffer.byteLength(body) <= maxBytes) return body
  const { failure: _, ...rest } = data
  return JSON.stringify({ type, timestamp, data: rest })
}

type Event = { readonly type: DeliveredEventType; readonly data: Readonly<Record<string, unknown>> }

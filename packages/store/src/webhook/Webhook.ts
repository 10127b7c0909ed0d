import type { Address, ChainId, TransactionState } from '@agio/core'
import type { marketStates } from '../database/schema.ts'

/** A webhook of a key, without its secret. */
export type WebhookRecord = {
  readonly id: string
  readonly url: string
  /** The types of events that are delivered. */
  readonly events: readonly string[]
  readonly createdAt: Date
  /** The first failed attempt since the last success; undefined if the last attempt succeeded. */
  readonly failingSince: Date | undefined
  readonly disabled: DisabledWebhook | undefined
}

/** Since when a webhook is disabled, and why: its receiver answered 410, or failed for three days. */
type DisabledWebhook = { readonly at: Date; readonly reason: 'gone' | 'failing' }

/** An event of a webhook. */
export type DeliveryRecord = {
  /** `webhook-id` of its message. */
  readonly id: string
  /** The order of the events of a webhook. */
  readonly position: number
  readonly type: string
  readonly payload: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly createdAt: Date
  readonly lastAttemptAt: Date | undefined
  readonly lastStatus: number | undefined
  readonly lastError: string | undefined
  /** When the next attempt is due, of a pending one. */
  readonly nextAttemptAt: Date | undefined
}

export type DeliveryStatus = 'pending' | 'delivered' | 'given-up'

/** A transaction to follow: by what is known of it, or broadcast and not tracked yet. */
export type NewWatch = TransactionKey & {
  readonly cursor?: string | undefined
  readonly signedTransaction?: `0x${string}` | undefined
}

/** A transaction that a key follows. */
export type TransactionKey = {
  readonly keyId: string
  readonly chainId: ChainId
  readonly transactionHash: `0x${string}`
}

/** A transaction that a key follows. */
export type WatchRecord = Omit<TransactionKey, 'keyId'> & {
  /** Its last observed state; undefined before the first. */
  readonly state: TransactionState.TransactionState | undefined
  readonly createdAt: Date
  readonly endedAt: Date | undefined
}

/** A watch that a process has claimed. */
export type ClaimedWatch = NewWatch & {
  /** Its last observed state; undefined before the first. */
  readonly state: TransactionState.TransactionState | undefined
  readonly version: number
  /** For how long it has been followed. */
  readonly ageMs: number
}

/** What a process has observed of a watch that it claimed. */
export type Observation = {
  readonly cursor: string | undefined
  /** Undefined if its sender and nonce name another transaction, so that it has no state. */
  readonly state: TransactionState.TransactionState | undefined
  /** The newest block. */
  readonly head: ObservedHead
  /** When it is observed next; undefined if it has ended. */
  readonly nextInMs: number | undefined
  /** What is delivered, if its state has changed. */
  readonly event: WebhookEvent | undefined
}

/** The newest block that a process has seen at an observation; an empty hash to observe again at the same block. */
export type ObservedHead = { readonly hash: string; readonly number: bigint }

/** An event, as its body tells it. */
export type WebhookEvent = { readonly type: string; readonly payload: string }

/** The state of a market at a block. */
export type MarketObservation = {
  readonly chainId: ChainId
  readonly pool: Address
  readonly state: MarketTradability
  readonly blockNumber: bigint
}

/** Whether conversions through a pool are priced. */
export type MarketTradability = typeof marketStates.$inferSelect.state

/** A delivery that a process has claimed, and what it is sent with. */
export type ClaimedDelivery = {
  readonly id: string
  /** Names the claim: a later one of the same delivery has another. */
  readonly claim: string
  readonly type: string
  readonly payload: string
  readonly url: string
  /** The secrets that sign it, the newest first. */
  readonly secrets: readonly string[]
  /** The failed attempts. */
  readonly attempts: number
}

/** The outcome of an attempt. */
export type AttemptResult =
  | { readonly outcome: 'delivered'; readonly status: number }
  | { readonly outcome: 'gone'; readonly status: number }
  | {
      readonly outcome: 'failed'
      readonly status?: number | undefined
      readonly error: string
      /** When it is sent again; undefined if it was the last attempt. */
      readonly retryInMs: number | undefined
    }

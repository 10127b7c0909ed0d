import type { Address, Network, ServiceError, Tier, TransactionState } from '@agio/core'
import type { poolStates } from '../database/schema.ts'

/** A webhook of a key, without its secret. */
export type WebhookRecord = {
  readonly id: string
  readonly url: string
  /** The types of events that are delivered. */
  readonly events: readonly string[]
  readonly createdAt: Date
  /** The public key that verifies the messages; undefined if their signatures are symmetric. */
  readonly publicKey: string | undefined
  /** The first failed attempt since the last success; undefined if the last attempt succeeded. */
  readonly failingSince: Date | undefined
  readonly disabled: DisabledWebhook | undefined
}

/** When and why a webhook was disabled: its receiver answered 410, or failed for three days. */
type DisabledWebhook = { readonly at: Date; readonly reason: 'gone' | 'failing' }

/** The delivery of one event to a webhook. */
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
  /** When the next attempt of a pending event is due. */
  readonly nextAttemptAt: Date | undefined
}

/** The state of a delivery. */
export type DeliveryStatus = 'pending' | 'delivered' | 'given-up'

/** A transaction to follow: with its tracking cursor, or broadcast and not yet tracked. */
export type NewTransaction = TransactionKey & {
  readonly cursor?: string | undefined
  readonly signedTransaction?: `0x${string}` | undefined
} & Cause

/** The request that causes webhook deliveries. */
export type Cause = {
  /** The request's `traceparent`, as W3C Trace Context formats it; undefined if the request is not traced. */
  readonly traceparent?: string | undefined
}

/** Identifies a transaction that a key follows. */
export type TransactionKey = {
  readonly keyId: string
  readonly chainId: Network.ChainId
  readonly transactionHash: `0x${string}`
}

/** A transaction that a key follows. */
export type FollowedTransaction = Omit<TransactionKey, 'keyId'> & {
  /** The last observed state; undefined before the first observation. */
  readonly state: TransactionState.TransactionState | undefined
  readonly createdAt: Date
  readonly endedAt: Date | undefined
}

/** A transaction that a process has claimed. */
export type ClaimedTransaction = NewTransaction & {
  /** The tier of the key. */
  readonly tier: Tier.Tier
  /** The key's own limits, if its tier allows them. */
  readonly limits: Tier.Limits | undefined
  /** The last observed state; undefined before the first observation. */
  readonly state: TransactionState.TransactionState | undefined
  /** The block that decided the transaction, its own or that of its replacement. */
  readonly decidedBlock: bigint | undefined
  /** Hash of the newest block at the last observation. */
  readonly checkedHash: string | undefined
  /** Whether the nodes are asked about the transaction even if no block concerns it. */
  readonly isPollDue: boolean
  readonly version: number
  /** How long the transaction has been followed. */
  readonly ageMs: number
}

/** The observation of a claimed transaction. */
export type Observation = {
  readonly cursor: string | undefined
  /** Undefined if the sender and nonce belong to another transaction, so that this transaction has no state. */
  readonly state: TransactionState.TransactionState | undefined
  /** The newest block. */
  readonly head: ObservedHead
  /** When the transaction is next observed; undefined if it has reached its last state. */
  readonly nextInMs: number | undefined
  /** When the nodes are next asked even if no block concerns the transaction. Absent if they were not asked now. */
  readonly pollInMs?: number | undefined
  /** The block that decided the transaction, its own or that of its replacement. */
  readonly decidedBlock?: bigint | undefined
  /** The event to deliver, if the state has changed. */
  readonly event: WebhookEvent | undefined
}

/** The newest block at an observation. With an empty hash, the transaction is observed again at the same block. */
export type ObservedHead = { readonly hash: string; readonly number: bigint }

/** An event with its body. */
export type WebhookEvent = { readonly type: string; readonly payload: string }

/** The state of a pool at a block. */
export type PoolObservation = {
  readonly chainId: Network.ChainId
  readonly pool: Address
  readonly state: PoolTradability
  readonly blockNumber: bigint
}

/** Whether conversions through a pool are priced. */
export type PoolTradability = typeof poolStates.$inferSelect.state

/** A claimed delivery, with everything needed to send it. */
export type ClaimedDelivery = {
  readonly id: string
  /** Identifies the claim. Each claim of a delivery has a new value. */
  readonly claim: string
  readonly type: string
  readonly payload: string
  /** The `traceparent` of the request that caused the event; null if the request was not traced. */
  readonly traceparent: string | null
  readonly url: string
  /** The secrets that sign the message, newest first. */
  readonly secrets: readonly string[]
  /** Why the secrets cannot be decrypted. The message then has no secrets. */
  readonly unreadable?: ServiceError | undefined
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
      /** When the message is sent again; undefined after the last attempt. */
      readonly retryInMs: number | undefined
    }

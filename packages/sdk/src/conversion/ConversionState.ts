import type { ChainId, SignedPermit } from '../api/schemas.ts'
import type { AgioQuoteData } from '../quote/AgioQuote.ts'

/** The state that a conversion resumes from, as plain JSON. Each step contains it. */
export type ConversionState = {
  readonly version: 1
  readonly chainId: ChainId
  /** Account that started the conversion. It is the zero address if the wallet did not name an account. */
  readonly account: `0x${string}`
  /** The quote, or its replacement after it expired. */
  readonly quote: AgioQuoteData
  /** Number of the block before the first request to the wallet. Older blocks have no transaction of the conversion. */
  readonly fromBlock: number
  /** Ways that the user, the wallet or the service rejected. They are not tried again. */
  readonly refused: readonly ('batch' | 'permit')[]
  /** How often an expired quote was replaced. Absent before the first time. */
  readonly requotes?: number
  /** How often the wallet was asked. Absent before the first time. */
  readonly prompts?: number
  /** The signature that the user gave instead of an approval. */
  readonly permit?: SignedPermit
  /** The last request to the wallet, unless it was rejected or is done. */
  readonly pending?: PendingRequest
}

/** A request to the wallet whose transaction was sent or may be sent: the wallet may send it without responding. */
export type PendingRequest = {
  readonly kind: 'reset' | 'approve' | 'batch' | 'convert'
  /** Called contract. For a batch, the contract of its last call. */
  readonly to: `0x${string}`
  /**
   * Calldata. For a batch, the calldata of its last call. A conversion is found by its id, which follows the arguments.
   */
  readonly data: `0x${string}`
  /** Number of the newest block when the wallet was asked. */
  readonly fromBlock: number
  /** Hash of that block. Absent if the node did not list the earlier payments. */
  readonly fromBlockHash?: `0x${string}`
  /** Hashes of the transactions that moved the input token from the account in the 64 blocks up to that block. */
  readonly earlierPayments?: readonly `0x${string}`[]
  /** Number of mined transactions of the account when the wallet was asked. */
  readonly nonce: number
  /** The same number including pending transactions. */
  readonly pendingNonce: number
  /** Unix time in seconds after which the transaction can no longer convert. Approvals have no deadline. */
  readonly deadline?: number
  /**
   * What the wallet answered: it accepted the request, or failed with an error that does not say whether it sent the
   * transaction. Absent while the answer is unknown, for example after a reload.
   */
  readonly answer?: 'accepted' | 'failed'
  /** Number of the last block that was searched for the payment of the conversion. Absent before the first search. */
  readonly searchedBlock?: number
  /** Id of the batch, chosen by this package. */
  readonly batchId?: string
  /**
   * Hash of the transaction, or the 32 bytes that the wallet returned instead, such as the id of a proposal. Absent
   * until it is known.
   */
  readonly transactionHash?: `0x${string}`
  /** Nonce of the transaction. Absent until the node of the wallet has shown the transaction as one of the account. */
  readonly sentNonce?: number
  /** Hash of the newest cancellation, which may be mined instead. Absent if no cancellation was sent. */
  readonly cancelHash?: `0x${string}`
  /** Cursor of `transaction/track`. Absent until the service has found the transaction. */
  readonly cursor?: string
}

/** A request whose transaction is known. */
export type SentRequest = PendingRequest & { readonly transactionHash: `0x${string}` }

/** Returns whether the transaction of a request is known. */
export function isSent(request: PendingRequest | undefined): request is SentRequest {
  return request?.transactionHash !== undefined
}

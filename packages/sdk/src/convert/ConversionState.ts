import type { ChainId, SignedPermit } from '../api/schemas.ts'
import type { AgioQuoteData } from '../quote/AgioQuote.ts'

/** What a conversion goes on from, as plain JSON: each of its steps has it. */
export type ConversionState = {
  readonly version: 1
  readonly chainId: ChainId
  /** Account of the wallet that the conversion began with; the zero address in the step of a wallet that did not name one. */
  readonly account: `0x${string}`
  /** The quote, or the one that took its place when it expired. */
  readonly quote: AgioQuoteData
  /** Number of the block before the first request to the wallet: an older block has no transaction of the conversion. */
  readonly fromBlock: number
  /** Ways that the user, the wallet or the service refused, and that are not tried again. */
  readonly refused: readonly ('batch' | 'permit')[]
  /** The signature that the user gave in the place of an approval. */
  readonly permit?: SignedPermit
  /** What the wallet was asked for last, unless it was refused or is done. */
  readonly pending?: PendingRequest
}

/** A request to the wallet whose transaction is on its way, or may be: a wallet that was asked may send without a response. */
export type PendingRequest = {
  readonly kind: 'reset' | 'approve' | 'batch' | 'convert'
  /** Called contract; of a batch that of its last call. */
  readonly to: `0x${string}`
  /** Calldata; of a batch that of its last call. A conversion has the id of its steps after the arguments, by which it is found. */
  readonly data: `0x${string}`
  /** Newest block when the wallet was asked. */
  readonly fromBlock: number
  /** Number of mined transactions of the account when the wallet was asked. */
  readonly nonce: number
  /** The same with the pending ones. */
  readonly pendingNonce: number
  /** Unix time in seconds after which the transaction converts nothing any more. Approvals have none. */
  readonly deadline?: number
  /** Id of the batch, which this package chose. */
  readonly batchId?: string
  /** Hash of the transaction; absent until the wallet returned it. */
  readonly transactionHash?: `0x${string}`
  /** Cursor of `transaction/track` for the transaction; absent until the service has had it. */
  readonly cursor?: string
}

/** A request whose transaction is known. */
export type SentRequest = PendingRequest & { readonly transactionHash: `0x${string}` }

// Generated from the router by `pnpm generate`. Do not edit.

import type { Mutation, Query } from './procedures.ts'
import type {
  Approval,
  ApprovalCheck,
  ApprovalPlan,
  BroadcastConvertResult,
  BroadcastResult,
  ChainId,
  ChainList,
  ConversionReceipt,
  ConvertLadder,
  ConvertPreview,
  DepositPreview,
  FaucetInfo,
  FaucetTokens,
  IssuedWebhook,
  MarketHoursList,
  OraclePrices,
  OwnUsage,
  PoolDetails,
  PoolList,
  Quote,
  RotatedWebhook,
  SignedPermit,
  TrackedTransaction,
  TransactionStatus,
  UnsignedConvert,
  UnsignedReplacement,
  UnsignedTransaction,
  WatchedTransaction,
  WatchedTransactionList,
  Webhook,
  WebhookDeliveryList,
  WebhookDeliveryState,
  WebhookEventType,
  WebhookList,
  WebhookReplay,
  WithdrawPreview,
} from './schemas.ts'

/** Input of `listPools`. */
export type ListPoolsInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /**
   * Number of the page, from 1
   * @default 1
   */
  page?: number | undefined
  /**
   * Maximum number of pools per page
   * @default 20
   */
  limit?: number | undefined
}

/** Input of `getPool`. */
export type GetPoolInput = {
  /** Address of the pool */
  poolAddress: `0x${string}`
  /** @default 84532 */
  chainId?: ChainId | undefined
}

/** Input of `previewConversion`. */
export type PreviewConversionInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Pool to convert in; by default the route that `transaction/build/convert` takes */
  poolAddress?: `0x${string}` | undefined
  /** Token to pay */
  tokenIn: `0x${string}`
  /** Token to receive */
  tokenOut: `0x${string}`
  /** Amount to pay */
  amountIn: string
}

/** Input of `previewLadder`. */
export type PreviewLadderInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Pool to convert in; by default the route that `transaction/build/convert` takes */
  poolAddress?: `0x${string}` | undefined
  /** Token to pay */
  tokenIn: `0x${string}`
  /** Token to receive */
  tokenOut: `0x${string}`
  /** Amounts to pay; required without `steps` */
  amounts?: string[] | undefined
  /** Number of amounts from the smallest that pays anything to the largest, each about as many times the previous one; instead of `amounts` */
  steps?: number | undefined
}

/** Input of `quoteConversion`. */
export type QuoteConversionInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Token to pay */
  tokenIn: `0x${string}`
  /** Token to receive */
  tokenOut: `0x${string}`
  /** Amount to pay; either this or `amountOut` is required */
  amountIn?: string | undefined
  /** Amount to receive, which is then paid exactly; either this or `amountIn` is required */
  amountOut?: string | undefined
  /** Pool to convert in; by default the route of the router */
  poolAddress?: `0x${string}` | undefined
  /** Tolerance of `minAmountOut` or `maxAmountIn` in basis points; 5 by default. Refused where it has no effect: for an `amountOut` whose route cannot be swapped for an exact output */
  slippageBps?: number | undefined
  /** Smallest amount to receive for an `amountIn`, in the place of `slippageBps`: that of an earlier quote renews it at the limit that was accepted. Refused if the market pays less */
  minAmountOut?: string | undefined
  /** Largest amount to pay for an `amountOut`, in the place of `slippageBps`: that of an earlier quote renews it at the limit that was accepted. Refused if the market costs more */
  maxAmountIn?: string | undefined
  /**
   * How long the quote is valid, in seconds from the later of clock and newest block
   * @default 60
   */
  validForSeconds?: number | undefined
  /** Wallet that will sign and pay; the response then has its issues and gas, and no other wallet may use the quote */
  userAddress?: `0x${string}` | undefined
  /** Account that gets the output; by default the wallet that pays */
  recipient?: `0x${string}` | undefined
  /** Reference of your own, signed into the quote and returned by its receipt. It tells apart quotes that are equal otherwise, of which Permit2 pays one */
  clientReference?: string | undefined
}

/** Input of `getConversionReceipt`. */
export type GetConversionReceiptInput = {
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  /** Chain id of the network; that of the quote by default, and 84532 without a quote */
  chainId?: ChainId | undefined
  /** The quote that the transaction executed, also an expired one: the receipt compares both */
  quote?: string | undefined
}

/** Input of `previewSwap`. */
export type PreviewSwapInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Pool to convert in; by default the route that `transaction/build/convert` takes */
  poolAddress?: `0x${string}` | undefined
  /** Token to pay */
  tokenIn: `0x${string}`
  /** Token to receive */
  tokenOut: `0x${string}`
  /** Amount to pay */
  amountIn: string
}

/** Input of `buildSwap`. */
export type BuildSwapInput = {
  /** Chain id of the network; that of the quote by default, and 84532 without a quote */
  chainId?: ChainId | undefined
  /** Wallet that will sign and pay */
  userAddress: `0x${string}`
  /** Quote of `convert/quote`, which fixes tokens, amounts, route and deadline: send none of them beside it */
  quote?: string | undefined
  /** Token to pay; required without a quote */
  tokenIn?: `0x${string}` | undefined
  /** Token to receive; required without a quote */
  tokenOut?: `0x${string}` | undefined
  /** Amount to pay; required without a quote */
  amountIn?: string | undefined
  /** Smallest amount to receive; `recommendedMinAmountOut` of a preview is a good choice. Required without a quote */
  minAmountOut?: string | undefined
  /** Last time at which the transaction may be mined, as Unix time in seconds; in five minutes by default */
  deadline?: number | undefined
  /** Signature that pays, in the place of an allowance: the `permit` of a step of `approval/plan`, with the `signature` of its `typedData`. Over tRPC send it by POST, since a signature has no place in a URL */
  permit?: SignedPermit | undefined
}

/** Input of `executeSwap`. */
export type ExecuteSwapInput = {
  /** Chain id of the network; that of the quote by default, and 84532 without a quote */
  chainId?: ChainId | undefined
  /** Signed transaction of type 2 (EIP-1559), as the wallet returns it */
  signedTransaction: `0x${string}`
  /** Quote of `convert/quote`, which the transaction must execute: send none of the fields below beside it */
  quote?: string | undefined
  /** `amountOut` of the preview; required without a quote */
  expectedAmountOut?: string | undefined
  /** Amount paid; required without a quote */
  amountIn?: string | undefined
  /** Token paid; required without a quote */
  tokenIn?: `0x${string}` | undefined
  /** Token received; required without a quote */
  tokenOut?: `0x${string}` | undefined
}

/** Input of `previewDeposit`. */
export type PreviewDepositInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Address of the pool */
  poolAddress: `0x${string}`
  /** Value to deposit in US dollars, both tokens together, with at most 18 fractional digits */
  value: string
}

/** Input of `previewWithdrawal`. */
export type PreviewWithdrawalInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Address of the pool */
  poolAddress: `0x${string}`
  /** LP tokens to burn, with at most 18 fractional digits; at most the total supply */
  lpAmount: string
}

/** Input of `getOraclePrices`. */
export type GetOraclePricesInput = {
  chainId?: ChainId | undefined
}

/** Input of `getMarketHours`. */
export type GetMarketHoursInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
}

/** Input of `planApproval`. */
export type PlanApprovalInput = {
  /** Chain id of the network; that of the quote by default, and 84532 without a quote */
  chainId?: ChainId | undefined
  /** Token to pay; required without a quote */
  tokenAddress?: `0x${string}` | undefined
  /** Wallet that will sign and pay */
  ownerAddress: `0x${string}`
  /** Amount that the spender must be able to take; required without a quote */
  amount?: string | undefined
  /** Quote of `convert/quote`, which fixes the amount: send none beside it. Only a quote can be paid through Permit2 */
  quote?: string | undefined
  /** Contract that takes the token; by default the `spender` of the quote, or the router */
  spenderAddress?: `0x${string}` | undefined
  /** Whether to sign or to send an approval; by default the signature where one is possible. A `permit` that is not possible gives an approval, whose `reason` says why */
  prefer?: 'permit' | 'approve' | undefined
  /**
   * Whether the spender may take any amount, now and later
   * @default false
   */
  unlimited?: boolean | undefined
}

/** Input of `checkApproval`. */
export type CheckApprovalInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Token of the allowance */
  tokenAddress: `0x${string}`
  /** Spender of the allowance: the `spender` of a quote, which is the router unless the quote is for another pool */
  spenderAddress: `0x${string}`
  /** Wallet that holds the tokens */
  ownerAddress: `0x${string}`
  /** Amount that the spender must be able to take */
  requiredAmount: string
}

/** Input of `buildApproval`. */
export type BuildApprovalInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Token of the allowance */
  tokenAddress: `0x${string}`
  /** Spender of the allowance: the `spender` of a quote, which is the router unless the quote is for another pool */
  spenderAddress: `0x${string}`
  /** Amount to approve; required even if `isUnlimited` is true */
  amount: string
  /**
   * Whether to approve any amount, now and later
   * @default false
   */
  isUnlimited?: boolean | undefined
}

/** Input of `buildRevocation`. */
export type BuildRevocationInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Token of the allowance */
  tokenAddress: `0x${string}`
  /** Spender of the allowance: the `spender` of a quote, which is the router unless the quote is for another pool */
  spenderAddress: `0x${string}`
}

/** Input of `buildConversion`. */
export type BuildConversionInput = {
  /** Chain id of the network; that of the quote by default, and 84532 without a quote */
  chainId?: ChainId | undefined
  /** Wallet that will sign and pay */
  userAddress: `0x${string}`
  /** Quote of `convert/quote`, which fixes tokens, amounts, route and deadline: send none of them beside it */
  quote?: string | undefined
  /** Token to pay; required without a quote */
  tokenIn?: `0x${string}` | undefined
  /** Token to receive; required without a quote */
  tokenOut?: `0x${string}` | undefined
  /** Amount to pay; required without a quote */
  amountIn?: string | undefined
  /** Smallest amount to receive; `recommendedMinAmountOut` of a preview is a good choice. Required without a quote */
  minAmountOut?: string | undefined
  /** Last time at which the transaction may be mined, as Unix time in seconds; in five minutes by default */
  deadline?: number | undefined
  /** Signature that pays, in the place of an allowance: the `permit` of a step of `approval/plan`, with the `signature` of its `typedData`. Over tRPC send it by POST, since a signature has no place in a URL */
  permit?: SignedPermit | undefined
}

/** Input of `buildReplacement`. */
export type BuildReplacementInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Hash of the pending transaction */
  transactionHash: `0x${string}`
  /** `speed-up` sends the same call again, `cancel` an empty transfer to its sender */
  kind: 'speed-up' | 'cancel'
}

/** Input of `broadcastTransaction`. */
export type BroadcastTransactionInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Signed transaction of type 2 (EIP-1559), as the wallet returns it */
  signedTransaction: `0x${string}`
}

/** Input of `broadcastConversion`. */
export type BroadcastConversionInput = {
  /** Chain id of the network; that of the quote by default, and 84532 without a quote */
  chainId?: ChainId | undefined
  /** Signed transaction of type 2 (EIP-1559), as the wallet returns it */
  signedTransaction: `0x${string}`
  /** Quote of `convert/quote`, which the transaction must execute: send none of the fields below beside it */
  quote?: string | undefined
  /** `amountOut` of the preview; required without a quote */
  expectedAmountOut?: string | undefined
  /** Amount paid; required without a quote */
  amountIn?: string | undefined
  /** Token paid; required without a quote */
  tokenIn?: `0x${string}` | undefined
  /** Token received; required without a quote */
  tokenOut?: `0x${string}` | undefined
}

/** Input of `getTransactionStatus`. */
export type GetTransactionStatusInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Hash of the transaction */
  transactionHash: `0x${string}`
}

/** Input of `trackTransaction`. */
export type TrackTransactionInput = {
  /** Chain id of the network; that of the cursor by default, and 84532 without a cursor */
  chainId?: ChainId | undefined
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  /** The `cursor` of the last response for this transaction */
  cursor?: string | undefined
  /** Sender of the transaction, with `nonce`, without a cursor */
  from?: `0x${string}` | undefined
  /** Nonce of the transaction, with `from` */
  nonce?: number | undefined
  /** The transaction itself, in the place of `from` and `nonce`: it is not sent */
  signedTransaction?: `0x${string}` | undefined
}

/** Input of `getNonce`. */
export type GetNonceInput = {
  /** Address of the sender */
  address: `0x${string}`
  /** @default 84532 */
  chainId?: ChainId | undefined
}

/** Input of `getFaucetInfo`. */
export type GetFaucetInfoInput = {
  chainId: ChainId
  /** User whose claims are returned */
  userAddress?: `0x${string}` | undefined
}

/** Input of `listFaucetTokens`. */
export type ListFaucetTokensInput = {
  chainId: ChainId
}

/** Input of `buildFaucetClaim`. */
export type BuildFaucetClaimInput = {
  chainId: ChainId
  /** User that will sign and receive the tokens */
  userAddress: `0x${string}`
}

/** Input of `getOwnUsage`. */
export type GetOwnUsageInput = {
  /** Month in UTC; the current one by default */
  month?: string | undefined
}

/** Input of `createWebhook`. */
export type CreateWebhookInput = {
  /** URL of the receiver: of https, at a public address, without credentials. Redirects are not followed */
  url: string
  /**
   * Types of the events to deliver; those of transactions by default
   * @default ["transaction.pending","transaction.included","transaction.safe","transaction.finalized","transaction.failed","transaction.replaced","transaction.dropped","transaction.reorged"]
   */
  events?: WebhookEventType[] | undefined
}

/** Input of `deleteWebhook`. */
export type DeleteWebhookInput = {
  /** Id of the webhook */
  id: string
}

/** Input of `rotateWebhookSecret`. */
export type RotateWebhookSecretInput = {
  /** Id of the webhook */
  id: string
}

/** Input of `listWebhookDeliveries`. */
export type ListWebhookDeliveriesInput = {
  /** Id of the webhook */
  id: string
  /** `pending` until it is `delivered`, or `given-up` after the last attempt or with its webhook */
  status?: WebhookDeliveryState | undefined
  /** Only deliveries before this `position`, for the next page */
  before?: number | undefined
  /**
   * Maximum number of deliveries
   * @default 20
   */
  limit?: number | undefined
}

/** Input of `replayWebhookDeliveries`. */
export type ReplayWebhookDeliveriesInput = {
  /** Id of the webhook */
  id: string
  /** Id of one delivery, in any state; by default all that were given up */
  deliveryId?: string | undefined
}

/** Input of `watchTransaction`. */
export type WatchTransactionInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  /** Sender of the transaction, with `nonce` */
  from?: `0x${string}` | undefined
  /** Nonce of the transaction, with `from` */
  nonce?: number | undefined
}

/** Input of `listWatchedTransactions`. */
export type ListWatchedTransactionsInput = {
  /**
   * Maximum number of transactions
   * @default 20
   */
  limit?: number | undefined
}

/** All operations, as procedures of a typed tRPC client. */
export type AgioApi = {
  readonly chains: {
    /** List the served networks. Returns each network that the service serves, with its contracts, tokens and newest block. It needs no node: a network whose nodes are unavailable is listed too, and its block is null. `/health` has the cause. */
    readonly list: Query<void, ChainList>
  }
  readonly pools: {
    /** List the pools of a network. Returns a page of pools with their tokens and reserves at the newest block. */
    readonly list: Query<ListPoolsInput, PoolList>
    /** Get a pool. Returns a pool with its fee, its oracle prices and the largest input of each token at the newest block. */
    readonly get: Query<GetPoolInput, PoolDetails>
  }
  readonly convert: {
    /** Preview a conversion. Returns the output of a conversion at the newest block, exact to the last unit. Without `poolAddress` the conversion takes the direct pool of the two tokens, else two pools through the reference dollar. */
    readonly preview: Query<PreviewConversionInput, ConvertPreview>
    /** Preview many amounts at one block. Returns what each of up to 50 `amounts` pays, or of 2 to 100 `steps` from the smallest useful amount to the largest. Each row equals `convert/preview` at that block; an amount that it refuses has the `error` in its row. What no amount can avoid, such as a stale price, is the error of the whole request. It counts as one call. */
    readonly ladder: Query<PreviewLadderInput, ConvertLadder>
    /** Quote a conversion. Returns a quote of an exact input or an exact output at the newest block: a signed text that `transaction/build/convert` and `transaction/broadcast/convert` take in the place of amounts, and that holds until `expiresAt`. Nothing is stored: keep the text. The conversion pays at least `minAmountOut`, or costs at most `maxAmountIn`, or reverts. */
    readonly quote: Query<QuoteConversionInput, Quote>
    /** Get the receipt of a conversion. Returns what a conversion paid and received, and where the difference from the oracles' amount went, exact to the last unit: for any mined transaction that converted by the router or a pool, no matter who sent it or how. A transaction that a node learns of within a second is found; until it is mined it is `pending`. */
    readonly receipt: Query<GetConversionReceiptInput, ConversionReceipt>
  }
  readonly swap: {
    /**
     * Preview a conversion. Deprecated: use `convert/preview`, which has the same request, response and errors.
     * @deprecated
     */
    readonly preview: Query<PreviewSwapInput, ConvertPreview>
    /**
     * Build an unsigned conversion. Deprecated: use `transaction/build/convert`, which has the same request, response and errors.
     * @deprecated
     */
    readonly build: Query<BuildSwapInput, UnsignedConvert>
    /**
     * Broadcast a signed conversion, with slippage analysis. Deprecated: use `transaction/broadcast/convert`, which has the same request, response and errors.
     * @deprecated
     */
    readonly execute: Mutation<ExecuteSwapInput, BroadcastConvertResult>
  }
  readonly liquidity: {
    /** Preview a deposit into a pool. Returns the result of the pool's own view at the newest block. A deposit takes both tokens in the proportion of the reserves, whatever their prices; only the first deposit into an empty pool takes them at their prices. A deposit that the pool would refuse is refused: while it is frozen or in an emergency, above its cap, or too small. A limit for each depositor is not known here. */
    readonly previewDeposit: Query<PreviewDepositInput, DepositPreview>
    /** Preview a withdrawal from a pool. Returns the result of the pool's own view at the newest block: a share of both reserves, whatever their prices. Pools deployed by Agio allow withdrawals while they are frozen. A pool in an emergency is refused, and so is a frozen pool whose view reverts. */
    readonly previewWithdraw: Query<PreviewWithdrawalInput, WithdrawPreview>
  }
  readonly oracle: {
    /** Get the oracle prices of all tokens. Returns the prices that the pools convert at, at the newest block. */
    readonly prices: Query<GetOraclePricesInput, OraclePrices>
  }
  readonly market: {
    /** Get the market hours of all pairs. Returns for each pool whether the markets of its prices are open at the time of the newest block, and when that changes. Foreign exchange closes at weekends and holidays; its prices then stay as they are, and may become stale. */
    readonly hours: Query<GetMarketHoursInput, MarketHoursList>
  }
  readonly approval: {
    /** Plan an approval. Returns what a wallet has to do before a conversion, as cheaply as its token and its account allow: nothing, one signature that the conversion then carries, or an approval, after a reset where the token demands one. A step with `typedData` goes to `eth_signTypedData_v4`; send its `permit` with the `signature` to `transaction/build/convert`. A step with `walletTransaction` goes to `eth_sendTransaction`. */
    readonly plan: Query<PlanApprovalInput, ApprovalPlan>
    /** Check an allowance. Returns the allowance of a spender, and whether it is less than an amount. */
    readonly check: Query<CheckApprovalInput, ApprovalCheck>
    /** Build an unsigned approval. Returns an approval for the wallet to sign, limited to an amount or unlimited. */
    readonly build: Query<BuildApprovalInput, Approval>
    /** Build an unsigned revocation. Returns an approval of zero for the wallet to sign. */
    readonly revoke: Query<BuildRevocationInput, Approval>
  }
  readonly transaction: {
    /** Build an unsigned conversion. Returns a conversion for the wallet to sign: of a quote, with `quote` and `userAddress` alone, or of the given amounts, which takes the direct pool of the two tokens, else two pools through the reference dollar. A conversion that the pool would refuse is an error; a missing allowance, token balance or gas balance of the wallet is listed in `issues`, and so is a limit of a quote that the market has passed. With a `permit` the conversion carries a signature in the place of an allowance, which is verified before anything is built, by a call of the token or of Permit2. Without one, `calls` is the whole plan as one batch for `wallet_sendCalls`. */
    readonly buildConvert: Query<BuildConversionInput, UnsignedConvert>
    /** Build an unsigned replacement of a pending transaction. Returns a transaction of the same sender and nonce for the wallet to sign: the same call, or an empty transfer to the sender that cancels it. Both fees are those of the present market, and at least 12.5 % above those of the pending one. Which of both is mined is decided by the chain: follow the first with `transaction/track`. */
    readonly buildReplace: Query<BuildReplacementInput, UnsignedReplacement>
    /** Broadcast a signed transaction. Returns the mined transaction, or `pending` if it is not mined in time. The transaction hash is the idempotency key: broadcasting the same transaction again returns the same result. An error with status 500 or above contains the hash as `transactionHash`: the transaction may be mined all the same, and broadcasting it again is safe. */
    readonly broadcast: Mutation<BroadcastTransactionInput, BroadcastResult>
    /** Broadcast a signed conversion, with slippage analysis. Broadcasts like `transaction/broadcast`, with the same errors, and adds `convert`. It is absent while the transaction is pending, if it failed or is no such conversion, and if the prices that it was executed at cannot be read; repeating the request later returns it. With a quote nothing is sent unless the transaction executes that quote. */
    readonly broadcastConvert: Mutation<BroadcastConversionInput, BroadcastConvertResult>
    /** Get the state of a transaction. Returns whether a transaction is pending, mined or failed, with its block, its confirmations and why it failed. */
    readonly status: Query<GetTransactionStatusInput, TransactionStatus>
    /** Track a transaction to its end. Returns whether a transaction is pending, mined and how final, failed and why, replaced and by which, dropped, or out of the block that had it. A hash alone is not enough to the end: once another transaction takes its nonce, nodes forget it. Send the `cursor` of the last response, or `from` and `nonce`, or the `signedTransaction`: without them a transaction that no node has is `svc/transaction-not-found`. Nothing is stored. */
    readonly track: Query<TrackTransactionInput, TrackedTransaction>
    /** Get the next nonce of an address. Returns the nonce for the next transaction of an address, after its pending ones and after its mined ones only. */
    readonly nonce: Query<
      GetNonceInput,
      {
        /** Next nonce, pending transactions included */
        nonce: number
        /** Next nonce, mined transactions only */
        latest: number
      }
    >
  }
  readonly faucet: {
    /** Get the terms of the faucet. Returns the amounts that the faucet pays and, with `userAddress`, whether that user may claim. */
    readonly info: Query<GetFaucetInfoInput, FaucetInfo>
    /** List the tokens of the faucet. Returns the tokens that a claim pays, with their amounts. */
    readonly tokens: Query<ListFaucetTokensInput, FaucetTokens>
    /** Build an unsigned claim of all tokens. Returns a claim of every token of the faucet for the user to sign. The faucet pays only the account that sends the transaction: a contract cannot claim. */
    readonly buildClaimAll: Query<BuildFaucetClaimInput, UnsignedTransaction>
  }
  readonly usage: {
    /** Get the usage of the API key in a month. Returns the calls of the API key of the request by operation and day, and what is left of its quota. Counts as a call like any other. Calls that other processes counted in the last 250 ms may be missing. */
    readonly get: Query<GetOwnUsageInput, OwnUsage>
  }
  readonly webhooks: {
    /** Create a webhook. Returns a webhook of the API key with its secret. It delivers what becomes of every transaction that the key broadcasts or registers, and the changes of markets if its events include them, after the Standard Webhooks specification: see docs/webhooks.md. A key has at most ten. */
    readonly create: Mutation<CreateWebhookInput, IssuedWebhook>
    /** List the webhooks of the API key. Returns the webhooks of the API key without their secrets, the newest first. */
    readonly list: Query<void, WebhookList>
    /** Delete a webhook. Deletes a webhook with its deliveries. An attempt that is in progress may still arrive within ten seconds. */
    readonly delete: Mutation<DeleteWebhookInput, Webhook>
    /** Rotate the secret of a webhook. Returns the webhook with a new secret. For a day the replaced secret signs as well: `webhook-signature` then contains two signatures. A second rotation within that day ends the first secret. */
    readonly rotate: Mutation<RotateWebhookSecretInput, RotatedWebhook>
    /** List the deliveries of a webhook. Returns deliveries of a webhook, the newest first. Delivered ones are kept for 7 days, given-up ones for 30: `webhooks/{id}/replay` sends them again. */
    readonly deliveries: Query<ListWebhookDeliveriesInput, WebhookDeliveryList>
    /** Deliver events again. Delivers one event again, or all that were given up, with their own `webhook-id`, and enables the webhook if it is disabled. Replayed events of one transaction arrive in order among themselves, but after events that were delivered meanwhile. */
    readonly replay: Mutation<ReplayWebhookDeliveriesInput, WebhookReplay>
    /** Follow a transaction. Delivers what becomes of a transaction to the webhooks of the API key, as for those that it broadcasts. Send `from` and `nonce` unless a node has it: without them a transaction that no node has is `svc/transaction-not-found`. A second call for the same transaction changes nothing. A key follows at most a thousand at a time, besides those that it broadcasts. */
    readonly watch: Mutation<WatchTransactionInput, WatchedTransaction>
    /** List the followed transactions. Returns the newest transactions that the API key follows, those that it broadcast included. Ended ones are kept for a week. */
    readonly watches: Query<ListWatchedTransactionsInput, WatchedTransactionList>
  }
}

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
  ErrorCode,
  FaucetInfo,
  FaucetTokens,
  IssuedWebhook,
  LoggedRequestList,
  MarketHoursList,
  OraclePrices,
  OwnApiKey,
  OwnUsage,
  PoolDetails,
  PoolList,
  Quote,
  RotatedOwnApiKey,
  RotatedWebhook,
  SignedPermit,
  TrackedTransaction,
  TransactionStatus,
  UnsignedClaim,
  UnsignedConvert,
  UnsignedReplacement,
  WatchedTransaction,
  WatchedTransactionList,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryState,
  WebhookEventType,
  WebhookList,
  WebhookReplay,
  WebhookSignature,
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
  /** Pool to convert in. Default: the route of `transaction/build/convert` */
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
  /** Pool to convert in. Default: the route of `transaction/build/convert` */
  poolAddress?: `0x${string}` | undefined
  /** Token to pay */
  tokenIn: `0x${string}`
  /** Token to receive */
  tokenOut: `0x${string}`
  /** Amounts to pay. Required without `steps` */
  amounts?: string[] | undefined
  /** Number of amounts, instead of `amounts`. They are evenly spaced on a logarithmic scale, from the smallest amount that pays anything to the largest */
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
  /** Amount to pay. Pass either `amountIn` or `amountOut` */
  amountIn?: string | undefined
  /** Exact amount to receive. Pass either `amountIn` or `amountOut` */
  amountOut?: string | undefined
  /** Pool to convert in. Default: the route of the router */
  poolAddress?: `0x${string}` | undefined
  /** Tolerance of `minAmountOut` or `maxAmountIn` in basis points. Default: 5. Not supported with `amountOut` if the route cannot be swapped for an exact output, because it would have no effect */
  slippageBps?: number | undefined
  /** Smallest amount to receive for an `amountIn`, instead of `slippageBps`. Pass the limit of an earlier quote to requote at current prices and keep the accepted limit. Refused if the market pays less */
  minAmountOut?: string | undefined
  /** Largest amount to pay for an `amountOut`, instead of `slippageBps`. Pass the limit of an earlier quote to requote at current prices and keep the accepted limit. Refused if the market costs more */
  maxAmountIn?: string | undefined
  /**
   * Validity of the quote in seconds, from the clock or the newest block, whichever is later
   * @default 60
   */
  validForSeconds?: number | undefined
  /** Wallet that will sign and pay. The response then includes its issues and gas, and no other wallet can use the quote */
  userAddress?: `0x${string}` | undefined
  /** Account that receives the output. Default: the wallet that pays. The contracts of the network, Permit2 and Multicall3 are refused */
  recipient?: `0x${string}` | undefined
  /** Your own reference. It is signed into the quote, and the receipt returns it. It distinguishes otherwise equal quotes, of which Permit2 would pay only one */
  clientReference?: string | undefined
}

/** Input of `getConversionReceipt`. */
export type GetConversionReceiptInput = {
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  /** Chain id of the network. Default: the chain of the quote, or 84532 without a quote */
  chainId?: ChainId | undefined
  /** The quote that the transaction executed, even if it has expired. The receipt compares both */
  quote?: string | undefined
}

/** Input of `previewSwap`. */
export type PreviewSwapInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Pool to convert in. Default: the route of `transaction/build/convert` */
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
  /** Chain id of the network. Default: the chain of the quote, or 84532 without a quote */
  chainId?: ChainId | undefined
  /** Wallet that will sign and pay */
  userAddress: `0x${string}`
  /** Quote of `convert/quote`. It fixes tokens, amounts, route and deadline, so do not send these fields */
  quote?: string | undefined
  /** Token to pay. Required without a quote */
  tokenIn?: `0x${string}` | undefined
  /** Token to receive. Required without a quote */
  tokenOut?: `0x${string}` | undefined
  /** Amount to pay. Required without a quote */
  amountIn?: string | undefined
  /** Smallest amount to receive, such as the `recommendedMinAmountOut` of a preview. Required without a quote */
  minAmountOut?: string | undefined
  /** Last time at which the transaction may be mined, as Unix time in seconds. Default: in five minutes */
  deadline?: number | undefined
  /** Signature that pays instead of an allowance: the `permit` of a step of `approval/plan`, with the `signature` of its `typedData`. Over tRPC, send it by POST, because a URL must not contain a signature */
  permit?: SignedPermit | undefined
}

/** Input of `executeSwap`. */
export type ExecuteSwapInput = {
  /** Chain id of the network. Default: the chain of the quote, or 84532 without a quote */
  chainId?: ChainId | undefined
  /** Signed transaction of type 2 (EIP-1559), as the wallet returns it */
  signedTransaction: `0x${string}`
  /** Quote of `convert/quote` that the transaction must execute. Do not send the fields below with a quote */
  quote?: string | undefined
  /** `amountOut` of the preview. Required without a quote */
  expectedAmountOut?: string | undefined
  /** Amount paid. Required without a quote */
  amountIn?: string | undefined
  /** Token paid. Required without a quote */
  tokenIn?: `0x${string}` | undefined
  /** Token received. Required without a quote */
  tokenOut?: `0x${string}` | undefined
}

/** Input of `previewDeposit`. */
export type PreviewDepositInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Address of the pool */
  poolAddress: `0x${string}`
  /** Value of both tokens together in US dollars, with at most 18 fractional digits */
  value: string
}

/** Input of `previewWithdrawal`. */
export type PreviewWithdrawalInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Address of the pool */
  poolAddress: `0x${string}`
  /** LP tokens to burn, at most the total supply, with at most 18 fractional digits */
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
  /** Chain id of the network. Default: the chain of the quote, or 84532 without a quote */
  chainId?: ChainId | undefined
  /** Token to pay. Required without a quote */
  tokenAddress?: `0x${string}` | undefined
  /** Wallet that will sign and pay */
  ownerAddress: `0x${string}`
  /** Amount that the spender must be allowed to take. Required without a quote */
  amount?: string | undefined
  /** Quote of `convert/quote`. The quote fixes the amount, so do not send `amount`. Only a quote can be paid through Permit2 */
  quote?: string | undefined
  /** Contract that takes the token. Default: the `spender` of the quote, or the router */
  spenderAddress?: `0x${string}` | undefined
  /** Whether to sign or to send an approval. Default: a signature if possible. If a `permit` is not possible, the plan has an approval, whose `reason` says why */
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
  /** Spender of the allowance: the `spender` of a quote. It is the router unless the quote converts in a given pool without the router */
  spenderAddress: `0x${string}`
  /** Wallet that holds the tokens */
  ownerAddress: `0x${string}`
  /** Amount that the spender must be allowed to take */
  requiredAmount: string
}

/** Input of `buildApproval`. */
export type BuildApprovalInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Token of the allowance */
  tokenAddress: `0x${string}`
  /** Spender of the allowance: the `spender` of a quote. It is the router unless the quote converts in a given pool without the router */
  spenderAddress: `0x${string}`
  /** Amount to approve. Required even if `isUnlimited` is true */
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
  /** Spender of the allowance: the `spender` of a quote. It is the router unless the quote converts in a given pool without the router */
  spenderAddress: `0x${string}`
}

/** Input of `buildConversion`. */
export type BuildConversionInput = {
  /** Chain id of the network. Default: the chain of the quote, or 84532 without a quote */
  chainId?: ChainId | undefined
  /** Wallet that will sign and pay */
  userAddress: `0x${string}`
  /** Quote of `convert/quote`. It fixes tokens, amounts, route and deadline, so do not send these fields */
  quote?: string | undefined
  /** Token to pay. Required without a quote */
  tokenIn?: `0x${string}` | undefined
  /** Token to receive. Required without a quote */
  tokenOut?: `0x${string}` | undefined
  /** Amount to pay. Required without a quote */
  amountIn?: string | undefined
  /** Smallest amount to receive, such as the `recommendedMinAmountOut` of a preview. Required without a quote */
  minAmountOut?: string | undefined
  /** Last time at which the transaction may be mined, as Unix time in seconds. Default: in five minutes */
  deadline?: number | undefined
  /** Signature that pays instead of an allowance: the `permit` of a step of `approval/plan`, with the `signature` of its `typedData`. Over tRPC, send it by POST, because a URL must not contain a signature */
  permit?: SignedPermit | undefined
}

/** Input of `buildReplacement`. */
export type BuildReplacementInput = {
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Hash of the pending transaction */
  transactionHash: `0x${string}`
  /** The signed pending transaction, of type 2, for nodes that do not show pending transactions. It is not sent */
  signedTransaction?: `0x${string}` | undefined
  /** `speed-up` sends the same call again. `cancel` sends an empty transfer to the sender */
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
  /** Chain id of the network. Default: the chain of the quote, or 84532 without a quote */
  chainId?: ChainId | undefined
  /** Signed transaction of type 2 (EIP-1559), as the wallet returns it */
  signedTransaction: `0x${string}`
  /** Quote of `convert/quote` that the transaction must execute. Do not send the fields below with a quote */
  quote?: string | undefined
  /** `amountOut` of the preview. Required without a quote */
  expectedAmountOut?: string | undefined
  /** Amount paid. Required without a quote */
  amountIn?: string | undefined
  /** Token paid. Required without a quote */
  tokenIn?: `0x${string}` | undefined
  /** Token received. Required without a quote */
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
  /** Chain id of the network. Default: the chain of the cursor, or 84532 without a cursor */
  chainId?: ChainId | undefined
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  /** The `cursor` of the last response for this transaction */
  cursor?: string | undefined
  /** Sender of the transaction, with `nonce`, without a cursor */
  from?: `0x${string}` | undefined
  /** Nonce of the transaction, with `from` */
  nonce?: number | undefined
  /** The signed transaction, instead of `from` and `nonce`. It is not sent */
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

/** Input of `rotateOwnApiKey`. */
export type RotateOwnApiKeyInput = {
  /**
   * Seconds for which older secrets remain valid. Default: one day
   * @default 86400
   */
  overlapSeconds?: number | undefined
}

/** Input of `getOwnUsage`. */
export type GetOwnUsageInput = {
  /** Month in UTC. Default: the current month */
  month?: string | undefined
}

/** Input of `listOwnRequests`. */
export type ListOwnRequestsInput = {
  /** Only requests at or after this time */
  from?: string | undefined
  /** Only requests before this time */
  to?: string | undefined
  /** Only requests of this operation */
  operation?: string | undefined
  /** Only requests with this HTTP status */
  status?: number | undefined
  /** Only requests with this error code */
  code?: ErrorCode | undefined
  /** Only the request with this id */
  requestId?: string | undefined
  /** Only requests that name or send this transaction */
  transactionHash?: `0x${string}` | undefined
  /** Only requests before the one with this `id`, for the next page */
  before?: string | undefined
  /**
   * Maximum number of requests
   * @default 100
   */
  limit?: number | undefined
}

/** Input of `createWebhook`. */
export type CreateWebhookInput = {
  /** URL of the receiver: https, at a public address, without credentials. Redirects are not followed */
  url: string
  /**
   * Types of the events to deliver. Default: all transaction events
   * @default ["transaction.pending","transaction.included","transaction.safe","transaction.finalized","transaction.failed","transaction.replaced","transaction.dropped","transaction.reorged"]
   */
  events?: WebhookEventType[] | undefined
  /**
   * How messages are signed. `v1`: by a secret that you share with the service. `v1a`: by a private key of the service, so that you store only a public key
   * @default "v1"
   */
  signature?: WebhookSignature | undefined
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
  /** `pending` until the event is `delivered`, or `given-up` after the last attempt or when its webhook is disabled */
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
  /** Id of one delivery, in any state. Default: all deliveries that were given up */
  deliveryId?: string | undefined
}

/** Input of `testWebhook`. */
export type TestWebhookInput = {
  /** Id of the webhook */
  id: string
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
    /** List the served networks. Returns each network that the service serves, with its contracts, tokens and newest block. A network whose nodes are unavailable is listed too, with a null block. `/health` reports the cause. */
    readonly list: Query<void, ChainList>
  }
  readonly pools: {
    /** List the pools of a network. Returns a page of pools with their tokens and reserves at the newest block. */
    readonly list: Query<ListPoolsInput, PoolList>
    /** Get a pool. Returns a pool with its fee, its oracle prices and the largest input of each token at the newest block. */
    readonly get: Query<GetPoolInput, PoolDetails>
  }
  readonly convert: {
    /** Preview a conversion. Returns the output of a conversion at the newest block, exact to the last unit. Without `poolAddress`, the conversion uses the direct pool of the two tokens, or two pools through the reference dollar. */
    readonly preview: Query<PreviewConversionInput, ConvertPreview>
    /** Preview many amounts at one block. Returns the result of up to 50 `amounts`, or of 2 to 100 `steps` from the smallest useful amount to the largest. Each row equals `convert/preview` at that block. If the preview of an amount fails, its row has the `error`. An error that affects every amount, such as a stale price, is the error of the request. A request counts as one call. */
    readonly ladder: Query<PreviewLadderInput, ConvertLadder>
    /** Quote a conversion. Returns a quote of an exact input or an exact output at the newest block. The quote is a signed text, valid until `expiresAt`. Send it to `transaction/build/convert` and `transaction/broadcast/convert` instead of amounts. The service does not store quotes, so keep the text. The conversion pays at least `minAmountOut` or costs at most `maxAmountIn`; otherwise it reverts. */
    readonly quote: Query<QuoteConversionInput, Quote>
    /** Get the receipt of a conversion. Returns the amounts that a conversion paid and received, and the parts of the difference from the oracles' amount, exact to the last unit. It works for any mined transaction that converted through the router or a pool, regardless of who sent it. Waits up to a second for a node to know the transaction. The status is `pending` until the transaction is mined. */
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
    /** Preview a deposit into a pool. Returns the result of the pool's own view at the newest block. A deposit takes both tokens in the proportion of the reserves, independent of prices. Only the first deposit into an empty pool takes the tokens at their prices. The preview fails if the pool would refuse the deposit: while the pool is frozen or in an emergency, above its cap, or if the deposit is too small. Limits per depositor are not checked. */
    readonly previewDeposit: Query<PreviewDepositInput, DepositPreview>
    /** Preview a withdrawal from a pool. Returns the result of the pool's own view at the newest block: a share of both reserves, independent of prices. Pools deployed by Agio allow withdrawals while they are frozen. The preview fails for a pool in an emergency, and for a frozen pool whose view reverts. */
    readonly previewWithdraw: Query<PreviewWithdrawalInput, WithdrawPreview>
  }
  readonly oracle: {
    /** Get the oracle prices of all tokens. Returns the prices at which the pools convert, at the newest block. */
    readonly prices: Query<GetOraclePricesInput, OraclePrices>
  }
  readonly market: {
    /** Get the market hours of all pairs. Returns for each pool whether the markets of its prices are open at the time of the newest block, and when that changes. Foreign exchange markets close at weekends and on holidays. Their prices then do not change, and may become stale. */
    readonly hours: Query<GetMarketHoursInput, MarketHoursList>
  }
  readonly approval: {
    /** Plan an approval. Returns the cheapest steps that a wallet needs before a conversion: none, one signature that the conversion carries, or an approval. If the token requires it, a reset precedes the approval. Pass the `typedData` of a step to `eth_signTypedData_v4`, and send its `permit` with the `signature` to `transaction/build/convert`. Pass the `walletTransaction` of a step to `eth_sendTransaction`. */
    readonly plan: Query<PlanApprovalInput, ApprovalPlan>
    /** Check an allowance. Returns the allowance of a spender, and whether it is lower than the required amount. */
    readonly check: Query<CheckApprovalInput, ApprovalCheck>
    /** Build an unsigned approval. Returns an approval for the wallet to sign, limited to an amount or unlimited. */
    readonly build: Query<BuildApprovalInput, Approval>
    /** Build an unsigned revocation. Returns an approval of zero for the wallet to sign. */
    readonly revoke: Query<BuildRevocationInput, Approval>
  }
  readonly transaction: {
    /** Build an unsigned conversion. Returns a conversion for the wallet to sign. For a quote, send only `quote` and `userAddress`. A conversion of given amounts uses the direct pool of the two tokens, or two pools through the reference dollar. A conversion that the pool would refuse is an error. `issues` lists a missing allowance, token balance or gas balance of the wallet, and a limit of a quote that the market has passed. With a `permit`, the conversion carries a signature instead of an allowance. The signature is verified first, by a call of the token or of Permit2. Without a `permit`, `calls` contains the whole plan as one batch for `wallet_sendCalls`. */
    readonly buildConvert: Query<BuildConversionInput, UnsignedConvert>
    /** Build an unsigned replacement of a pending transaction. Returns a transaction with the same sender and nonce for the wallet to sign: the same call, or an empty transfer to the sender that cancels it. Both fees follow the current market, and are at least 12.5 % higher than the fees of the pending transaction. Only one of the two transactions will be mined. Follow the first with `transaction/track`. */
    readonly buildReplace: Query<BuildReplacementInput, UnsignedReplacement>
    /** Broadcast a signed transaction. Returns the mined transaction, or `pending` if it is not mined in time. The transaction hash is the idempotency key: broadcasting the same transaction again returns the same result. A rejection and an error with status 500 or above contain the hash as `transactionHash`. The transaction may be mined despite the error, and broadcasting it again is safe. */
    readonly broadcast: Mutation<BroadcastTransactionInput, BroadcastResult>
    /** Broadcast a signed conversion, with slippage analysis. Broadcasts like `transaction/broadcast`, with the same errors, and adds `convert`. `convert` is absent while the transaction is pending, and if it failed or is not this conversion. It is also absent if the prices of its execution cannot be read. Repeat the request later to get it. With a quote, the transaction is sent only if it executes that quote. */
    readonly broadcastConvert: Mutation<BroadcastConversionInput, BroadcastConvertResult>
    /** Get the state of a transaction. Returns whether a transaction is pending, mined or failed, with its block, its confirmations and the reason of a failure. */
    readonly status: Query<GetTransactionStatusInput, TransactionStatus>
    /** Track a transaction to its end. Returns the status of a transaction: pending, mined and how final, failed and why, replaced and by which transaction, dropped, or reorganised. The hash is not sufficient to the end, because nodes forget the transaction when another transaction uses its nonce. Also send the `cursor` of the last response, `from` and `nonce`, or the `signedTransaction`. Without them, a transaction that no node has is `svc/transaction-not-found`. The service stores nothing. */
    readonly track: Query<TrackTransactionInput, TrackedTransaction>
    /** Get the next nonce of an address. Returns two nonces for the next transaction of an address: after its pending transactions, and after its mined transactions only. */
    readonly nonce: Query<
      GetNonceInput,
      {
        /** Next nonce, including pending transactions */
        nonce: number
        /** Next nonce, mined transactions only */
        latest: number
      }
    >
  }
  readonly faucet: {
    /** Get the terms of the faucet. Returns the amounts that the faucet pays. With `userAddress`, also returns whether that user may claim. */
    readonly info: Query<GetFaucetInfoInput, FaucetInfo>
    /** List the tokens of the faucet. Returns the tokens that a claim pays, with their amounts. */
    readonly tokens: Query<ListFaucetTokensInput, FaucetTokens>
    /** Build an unsigned claim of all tokens. Returns a claim of every token of the faucet for the user to sign. The faucet pays only the account that sends the transaction, so a contract cannot claim. */
    readonly buildClaimAll: Query<BuildFaucetClaimInput, UnsignedClaim>
  }
  readonly keys: {
    /** Get the API key of the request. Returns the API key of the request with its scopes, restrictions and limits. Every key may call this operation. Anyone can read a publishable key, so the response to one has neither the name nor the allowed origins and addresses. */
    readonly self: Query<void, OwnApiKey>
    /** Rotate the secret of the API key of the request. Returns a new secret of the key. Older secrets, with the secret of the request, remain valid until the overlap ends. If the response is lost, the secret of the request can rotate the key again until a new secret is used. This ends no other secret. */
    readonly rotate: Mutation<RotateOwnApiKeyInput, RotatedOwnApiKey>
  }
  readonly usage: {
    /** Get the usage of the API key in a month. Returns the calls of the API key of the request by operation and day, and the rest of its quota. This request counts as a call too. Calls that other processes counted in the last 250 ms may be missing. */
    readonly get: Query<GetOwnUsageInput, OwnUsage>
    /** List the latest requests of the key. Returns requests of the API key, newest first: refusals, and at most ten successful reads per second. They are kept for 7 days by default, and at most 100,000 per key. */
    readonly requests: Query<ListOwnRequestsInput, LoggedRequestList>
  }
  readonly webhooks: {
    /** Create a webhook. Creates a webhook of the API key, and returns it with its secret, or with its public key. The webhook delivers the events of every transaction that the key broadcasts or registers, and market events if requested. Messages follow the Standard Webhooks specification. See `/docs/guide/webhooks`. A key can have at most ten webhooks. */
    readonly create: Mutation<CreateWebhookInput, IssuedWebhook>
    /** List the webhooks of the API key. Returns the webhooks of the API key without their secrets, newest first. */
    readonly list: Query<void, WebhookList>
    /** Delete a webhook. Deletes a webhook with its deliveries. An attempt in progress may arrive within the next ten seconds. */
    readonly delete: Mutation<DeleteWebhookInput, Webhook>
    /** Rotate the secret of a webhook. Returns the webhook with a new secret, or with a new public key. For a day, the replaced secret also signs, so that `webhook-signature` contains two signatures. A second rotation within that day ends the first secret. */
    readonly rotate: Mutation<RotateWebhookSecretInput, RotatedWebhook>
    /** List the deliveries of a webhook. Returns deliveries of a webhook, newest first. Delivered events are kept for 7 days, and given-up events for 30 days by default. `webhooks/{id}/replay` sends them again. */
    readonly deliveries: Query<ListWebhookDeliveriesInput, WebhookDeliveryList>
    /** Deliver events again. Redelivers one event, or all events that were given up, with their own `webhook-id`, and enables the webhook if it is disabled. Replayed events of one transaction arrive in order, but after events that were delivered meanwhile. */
    readonly replay: Mutation<ReplayWebhookDeliveriesInput, WebhookReplay>
    /** Send a test event. Sends a `webhook.test` event and returns its delivery. The webhook does not have to subscribe to it. The service signs, retries and lists the event like any other, and it never delays other events. If a test event is still pending, the service sends that event again at once. The test event of a disabled webhook is given up at once. */
    readonly test: Mutation<TestWebhookInput, WebhookDelivery>
    /** Follow a transaction. Delivers the events of a transaction to the webhooks of the API key, as for transactions that the key broadcasts. Send `from` and `nonce` unless a node has the transaction. Without them, a transaction that no node has is `svc/transaction-not-found`. A second call for the same transaction changes nothing. A key follows at most a thousand transactions at a time, besides the transactions that it broadcasts. */
    readonly watch: Mutation<WatchTransactionInput, WatchedTransaction>
    /** List the followed transactions. Returns the newest transactions that the API key follows, including transactions that it broadcast. They are kept for a week after the end. */
    readonly watches: Query<ListWatchedTransactionsInput, WatchedTransactionList>
  }
}

/** The mutations that accept the header `Idempotency-Key` */
export const idempotentMutations: ReadonlySet<string> = new Set(['keys.rotate', 'webhooks.create', 'admin.keys.create'])

/** All values of `WebhookEventType`. */
export const webhookEventTypes: readonly WebhookEventType[] = [
  'transaction.pending',
  'transaction.included',
  'transaction.safe',
  'transaction.finalized',
  'transaction.failed',
  'transaction.replaced',
  'transaction.dropped',
  'transaction.reorged',
  'market.stale',
  'market.frozen',
  'market.reopened',
]

// Generated from the router by `pnpm generate`. Do not edit.

/** An unsigned approval */
export type Approval = {
  /** Transaction to sign */
  transaction: UnsignedTransaction
  /** Effect of the approval, as text for the user */
  recommendation: {
    /** Kind of the approval */
    type: 'limited' | 'unlimited' | 'revoke'
    /** Effect of the approval */
    reason: string
  }
}

/** The allowance of a spender */
export type ApprovalCheck = {
  /** Whether the allowance is too low */
  needsApproval: boolean
  /** Allowance of the spender */
  currentAllowance: string
  /** Required amount, as requested */
  requiredAmount: string
  /** Number of the block of the response. Absent if the reader of the deployment is an older version that does not return it */
  blockNumber?: number | undefined
  /** Time of that block */
  blockTimestamp: string
}

/** Signatures and transactions that an owner needs before a conversion */
export type ApprovalPlan = {
  /** Steps, in order. Empty if the allowance is sufficient */
  steps: ApprovalStep[]
  /** Contract that the conversion calls and that takes the token */
  spenderAddress: `0x${string}`
  /** Allowance of the spender */
  currentAllowance: string
  /** Amount that the spender must be allowed to take. For a quote, the most that it may cost */
  requiredAmount: string
  /** Number of the block of the response. Absent if the reader of the deployment is an older version that does not return it */
  blockNumber?: number | undefined
  /** Time of that block */
  blockTimestamp: string
}

/** A step of a plan, by `kind` */
export type ApprovalStep = ResetStep | ApproveStep | PermitStep | Permit2Step

/** An approval to sign and send */
export type ApproveStep = {
  /** Kind of the step */
  kind: 'approve'
  /** Why the step is needed, as text for the user */
  reason: string
  /** Transaction to sign */
  transaction: UnsignedTransaction
  /** The same transaction for `eth_sendTransaction` of a wallet */
  walletTransaction: WalletTransaction
  /** What the transaction also pays for its bytes on L1, in wei, with a margin. Only on chains of the OP stack */
  l1Fee?: string | undefined
}

/** The state of a broadcast conversion, with its analysis */
export type BroadcastConvertResult = {
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  status: TransactionState
  /** Number of the block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Why the transaction reverted, if it failed */
  failure?: TransactionFailure | undefined
  /** Analysis of a successful conversion, if its prices are known */
  convert?: ConvertAnalysis | undefined
}

/** The state of a broadcast transaction */
export type BroadcastResult = {
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  status: TransactionState
  /** Number of the block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Why the transaction reverted, if it failed */
  failure?: TransactionFailure | undefined
}

/** The kind of a call of a batch, and its gas limit */
export type CallGasLimit = {
  /** What the call does */
  kind: 'reset' | 'approve' | 'convert'
  /** Gas limit of the call as a separate transaction after the previous calls, with a margin */
  gasLimit: string
}

/** A network that the service serves */
export type Chain = {
  chainId: ChainId
  /** Name of the network */
  name: string
  /** Router. Conversions call it, and it is the spender to approve */
  router: `0x${string}`
  /** Permit2, the contract to approve for tokens without their own permits. Null if the network has no Permit2 or the router does not accept its signatures. Absent until it has been read */
  permit2?: `0x${string}` | null | undefined
  /** Faucet of test tokens. Null if the network has no faucet */
  faucet: `0x${string}` | null
  /** Reference dollar, the second token of every pool */
  referenceToken: `0x${string}`
  /** Tokens of the pools. Empty until the pools have been read for the first time */
  tokens: NamedToken[]
  /** Number of readable pools */
  pools: number
  /** Currency in which gas is paid */
  nativeCurrency: {
    /** Name of the currency */
    name: string
    /** Symbol of the currency */
    symbol: string
    /** Fractional digits of its amounts */
    decimals: number
  }
  /** Block explorer of the network. Null for a local chain, which has no block explorer */
  blockExplorer: {
    /** Name of the block explorer */
    name: string
    /** URL of the block explorer */
    url: string
  } | null
  /** Number of the newest block. Null if no node has confirmed a block for SNAPSHOT_MAX_AGE_MS */
  blockNumber: number | null
  /** Time of that block, or null */
  blockTimestamp: string | null
}

/** The health of a chain */
export type ChainHealth = {
  chainId: ChainId
  /** ok: a node answered the last poll for the newest block within 1.5 s, or within 0.85 s while the chain is idle. degraded: the poll failed or took longer, a pool cannot be read, a feed is faulty, or a clock or a node is suspect. lagging: the newest block is older than MAX_BLOCK_AGE_MS. unreachable: no node has confirmed a block within SNAPSHOT_MAX_AGE_MS, or the pools could not be read in that time */
  status: 'ok' | 'degraded' | 'lagging' | 'unreachable'
  /** Which operations work: `previews`, which use the last confirmed block, and `transactions`, which read or send through a node during the request */
  available: ('previews' | 'transactions')[]
  /** Error code that requests to the node currently return */
  reason?: 'svc/upstream-error' | 'svc/upstream-timeout' | 'svc/upstream-unavailable' | undefined
  /** node: in the last ten minutes nodes have disagreed about the fork that they follow, the end of a transaction, a pool, a token or a contract. clock: by the wall clock of this machine, the newest block is older than MAX_BLOCK_AGE_MS. But blocks arrive in step with its monotonic clock, so the wall clock is probably ahead. The chain is served */
  suspect?: 'clock' | 'node' | undefined
  /** No second node confirms the newest block that was compared: the others are down, do not have it, or contradict it. Only if it is true */
  unconfirmed?: boolean | undefined
  /** Pools of the deployment that cannot be read. The service reads them again every 5 s, and serves the other pools. Absent if all pools can be read */
  unreadablePools?: `0x${string}`[] | undefined
  /** Pools that are priced by their own views, because the views differed from the returned curve. Each preview of these pools needs a call to a node. Absent if no pool is affected */
  disprovenPools?: `0x${string}`[] | undefined
  /** Feeds because of which pools refuse to convert, except for old prices. Absent if no feed is faulty */
  faultyFeeds?:
    | {
        /** Address of the feed */
        feed: `0x${string}`
        /** invalid: its answer is zero or negative. bounds: its answer is implausible. step: its answer differs too much from the round before. sequencer: it reports that the sequencer of the network is down or has just restarted. depeg: it reports that the reference token is not worth a dollar */
        reason: 'invalid' | 'bounds' | 'step' | 'sequencer' | 'depeg'
      }[]
    | undefined
  /** Number of the last confirmed block */
  blockNumber?: number | undefined
  /** Age of that block in seconds, by the wall clock */
  blockAgeSeconds?: number | undefined
}

/** Chain id of the network */
export type ChainId = 84532 | 421614

/** The networks that the service serves */
export type ChainList = {
  /** Served networks */
  chains: Chain[]
}

/** How far the block is from being final. Only until it is `finalized`. Streams and webhooks send it with transitions only */
export type Confirmations = {
  /** Number of blocks that confirm it, including its own */
  count: number
  /** Number of blocks after which it is final, if the chain keeps its current distance to finality */
  required: number
}

/** The fixed amount: the input for `exact-in`, the output for `exact-out` */
export type ConversionMode = 'exact-in' | 'exact-out'

/** The paid and received amounts of a conversion, and the parts of the difference from the amount of the oracles */
export type ConversionReceipt = {
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  /** `pending` until the transaction is mined, then `success`, or `failed` if the conversion reverted */
  status: TransactionState
  /** Amount that the transaction fixed: the input or the output. Absent if unknown */
  mode?: ConversionMode | undefined
  /** Account that paid */
  payer?: `0x${string}` | undefined
  /** Account that received */
  recipient?: `0x${string}` | undefined
  /** Token paid */
  tokenIn?: TokenReference | undefined
  /** Token received */
  tokenOut?: TokenReference | undefined
  /** Amount paid */
  amountIn?: string | undefined
  /** Amount received */
  amountOut?: string | undefined
  /** Source of the oracles' prices: the `execution`, or the `quote` of the request. `unavailable` if the prices of the execution are uncertain, for example because no node has the state of that block. The fields that need the prices are then absent */
  oracleAt?: OracleMoment | undefined
  /** Value of `amountIn` at the oracles' prices, before all fees */
  oracleAmountOut?: string | undefined
  /** Parts of the difference between `oracleAmountOut` and `amountOut` */
  parts?: ReceiptParts | undefined
  /** Combined fee rate of all pools of the route. With two pools, it is exactly `1 - (1 - fee) x (1 - fee)` */
  routeFeeRate?: string | undefined
  /** `amountOut` per `amountIn` */
  executedRate?: string | undefined
  /** `oracleAmountOut` per `amountIn` */
  oracleRate?: string | undefined
  /** Loss compared with `oracleAmountOut` less `routeFeeRate`. Negative if more was received */
  slippage?: string | undefined
  /** Why the conversion reverted, if it failed and a replay shows the reason */
  failure?: TransactionFailure | undefined
  /** Number of the block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Hash of its block */
  blockHash?: `0x${string}` | undefined
  /** Time of its block */
  blockTimestamp?: string | undefined
  /** Gas price of the transaction, in wei per unit */
  effectiveGasPrice?: string | undefined
  /** Amount that the sender of the transaction paid for gas and data, in native currency */
  gasPaid?: string | undefined
  /** Number of confirmations, including its own block */
  confirmations?: number | undefined
  /** Reference of the quote */
  clientReference?: string | undefined
  /** Terms of the quote of the request */
  quoted?: ReceiptQuote | undefined
  /** All conversions of the transaction in order, if there are several. The other fields describe the conversion that executed the quote, or the first conversion */
  conversions?: ReceiptConversion[] | undefined
}

/** A conversion compared with the oracles' prices in its block */
export type ConvertAnalysis = {
  /** Amount paid, as requested. With a quote, the amount actually paid */
  amountIn: string
  /** Amount to pay by the quote. Only with a quote */
  expectedAmountIn?: string | undefined
  /** Expected amount, as requested or quoted */
  expectedAmountOut: string
  /** Amount received */
  actualAmountOut: string
  /** Amount at the oracles' prices of the execution, without a fee */
  oracleAmountOut: string
  /** Fee of the conversion. `routeFeeRate` is the rate of `amount` */
  fee: {
    /** Fee of the first pool */
    rate: string
    /** Fee of all pools at the oracles' prices, in the received token */
    amount: string
  }
  /** Combined fee rate of all pools of the route. With two pools, it is exactly `1 - (1 - fee) x (1 - fee)` */
  routeFeeRate: string
  /** Loss compared with the amount at the oracles' prices less 0.05 %. Negative if more was received */
  slippage: string
  /** `actualAmountOut` per `amountIn` */
  executedRate: string
  /** `oracleAmountOut` per `amountIn` */
  oracleRate: string
}

/** The results of many amounts at one block */
export type ConvertLadder = {
  /** Token to pay */
  tokenIn: TokenReference
  /** Token to receive */
  tokenOut: TokenReference
  /** Fee of the first pool, included in each `amountOut` */
  fee: string
  /** Combined fee rate of all pools of the route. With two pools, it is exactly `1 - (1 - fee) x (1 - fee)` */
  routeFeeRate: string
  /** Largest amount that converts now, in both directions. For pools that are priced on chain, it is the largest amount for which their views return a result. Absent if a node cannot determine it */
  maxAmountIn: {
    /** Largest amount of `tokenIn` */
    tokenIn?: string | undefined
    /** Largest amount of `tokenOut` in a conversion back */
    tokenOut?: string | undefined
  }
  /** Result of each amount: in the order of `amounts`, or ascending for `steps`. Fewer rows than `steps` if fewer different amounts exist. Empty if no amount pays anything */
  rows: LadderRow[]
  /** Number of the block of the response */
  blockNumber: number
  /** Time of that block */
  blockTimestamp: string
}

/** The result of a conversion if it were mined in the newest block */
export type ConvertPreview = {
  /** Amount to pay, as requested */
  amountIn: string
  /** Amount received at that block, after the fee */
  amountOut: string
  /** Token to pay */
  tokenIn: TokenReference
  /** Token to receive */
  tokenOut: TokenReference
  /** `amountOut` per `amountIn` */
  exchangeRate: string
  /** `amountIn` per `amountOut` */
  inverseRate: string
  /** Fee of the first pool, included in `amountOut` */
  fee: string
  /** Combined fee rate of all pools of the route. With two pools, it is exactly `1 - (1 - fee) x (1 - fee)` */
  routeFeeRate: string
  /** Whether the markets of the prices are open at that block. Absent if their hours are unknown. Conversions continue while a market is closed, but its prices may become stale */
  market?: MarketState | undefined
  /** Recommended `minAmountOut` of `transaction/build/convert`: `amountOut` less 0.05 %, or a lower amount if the pool may pay less */
  recommendedMinAmountOut: string
  /** Number of the block of the response */
  blockNumber: number
  /** Time of that block */
  blockTimestamp: string
}

/** The result of a deposit if it were mined in the newest block */
export type DepositPreview = {
  /** Address of the pool */
  poolAddress: `0x${string}`
  /** Value to deposit, as requested */
  value: string
  /** LP tokens that the deposit mints, with 18 fractional digits */
  lpAmount: string
  /** First token of the pool */
  token0: TokenReference
  /** Second token of the pool */
  token1: TokenReference
  /** Amounts of both tokens */
  amounts: {
    /** Amount of the first token */
    token0: string
    /** Amount of the second token */
    token1: string
  }
  /** Share of the LP tokens of the pool */
  shareOfPool: string
  /** Number of the block of the response */
  blockNumber: number
  /** Time of that block */
  blockTimestamp: string
}

/** The stream ends, and another one would be refused */
export type EndEvent = {
  /** Why the key is refused */
  error: StreamFailure
}

/** An event with the name `end` */
export type EndStreamEvent = {
  /** Cursor to continue after this event: the next `Last-Event-ID` */
  id: string
  /** Name of the event */
  event: 'end'
  data: EndEvent
}

/** What to do next */
export type ErrorAction = 'wait' | 'fix_input' | 'requote' | 'fund' | 'approve' | 'retry'

/** Code of an error */
export type ErrorCode =
  | 'svc/stale-price'
  | 'svc/reference-depegged'
  | 'svc/above-max-origin'
  | 'svc/no-convergence'
  | 'svc/below-min-target'
  | 'svc/above-max-input'
  | 'svc/no-route'
  | 'svc/pool-frozen'
  | 'svc/deadline-passed'
  | 'svc/amount-too-small'
  | 'svc/recipient-unsupported'
  | 'svc/reverted'
  | 'svc/quoting-paused'
  | 'svc/quote-invalid'
  | 'svc/quote-expired'
  | 'svc/quote-mismatch'
  | 'svc/quote-not-yours'
  | 'svc/insufficient-gas'
  | 'svc/insufficient-balance'
  | 'svc/insufficient-allowance'
  | 'svc/invalid-permit'
  | 'svc/account-blocked'
  | 'svc/token-paused'
  | 'svc/faucet-cooldown'
  | 'svc/faucet-dry'
  | 'svc/invalid-request'
  | 'svc/invalid-address'
  | 'svc/unsupported-chain'
  | 'svc/unsupported-token'
  | 'svc/pool-not-found'
  | 'svc/not-found'
  | 'svc/idempotency-key-in-use'
  | 'svc/idempotency-key-reused'
  | 'svc/payload-too-large'
  | 'svc/unsupported-media-type'
  | 'svc/method-not-allowed'
  | 'svc/request-timeout'
  | 'svc/expectation-failed'
  | 'svc/headers-too-large'
  | 'svc/invalid-transaction'
  | 'svc/wrong-chain'
  | 'svc/nonce-too-low'
  | 'svc/underpriced'
  | 'svc/already-mined'
  | 'svc/transaction-not-found'
  | 'svc/not-a-conversion'
  | 'svc/unauthorized'
  | 'svc/key-revoked'
  | 'svc/forbidden-role'
  | 'svc/key-expired'
  | 'svc/address-forbidden'
  | 'svc/origin-forbidden'
  | 'svc/forbidden-scope'
  | 'svc/rate-limited'
  | 'svc/quota-exceeded'
  | 'svc/webhook-not-found'
  | 'svc/webhook-limit'
  | 'svc/upstream-error'
  | 'svc/upstream-unavailable'
  | 'svc/upstream-timeout'
  | 'svc/storage-unavailable'
  | 'svc/streams-full'
  | 'svc/internal'

/** A topic that fails now */
export type FailedTopicEvent = {
  /** Index of the topic in `topics` */
  index: number
  /** Why the topic fails now */
  error: StreamFailure
}

/** The terms of the faucet */
export type FaucetInfo = {
  chainId: ChainId
  /** Address of the faucet */
  faucetAddress: `0x${string}`
  /** Seconds between two claims of a user */
  cooldownSeconds: number
  /** Tokens that the faucet pays */
  tokens: FaucetTerm[]
  /** Claims of the user. Absent without `userAddress` */
  user?:
    | {
        /** Address of the user */
        address: `0x${string}`
        /** Whether the user may claim now */
        canClaim: boolean
        /** Time of the last claim. Absent before the first */
        lastClaimAt?: string | undefined
        /** Time from which the user may claim. Absent before the first claim */
        nextClaimAt?: string | undefined
        /** Number of the block of the response. Absent if the reader of the deployment is an older version that does not return it */
        blockNumber?: number | undefined
        /** Time of that block */
        blockTimestamp: string
      }
    | undefined
}

/** A token that the faucet pays */
export type FaucetTerm = {
  /** Address of the token */
  address: `0x${string}`
  /** Symbol of the token */
  symbol: string
  /** Fractional digits of amounts of the token */
  decimals: number
  /** Amount that a claim pays */
  amount: string
}

/** A token that the faucet pays, with its name */
export type FaucetToken = {
  /** Address of the token */
  address: `0x${string}`
  /** Symbol of the token */
  symbol: string
  /** Fractional digits of amounts of the token */
  decimals: number
  /** Name of the token */
  name: string
  /** Amount that a claim pays */
  amount: string
}

/** The tokens of the faucet */
export type FaucetTokens = {
  /** Tokens that the faucet pays */
  tokens: FaucetToken[]
}

/** How final the block of a transaction is */
export type Finality = 'included' | 'safe' | 'finalized'

/** The block that proves how final another block is */
export type FinalityProof = {
  /** `tag`: the block that the node reports as `safe` or `finalized`. `depth`: the newest block, a sufficient number of blocks later */
  by: 'tag' | 'depth'
  /** Number of that block */
  blockNumber: number
  /** Hash of that block */
  blockHash: `0x${string}`
  /** Time of that block */
  blockTimestamp: string
}

/** How the gas of a conversion was found */
export type GasEstimateSource = 'estimate-as-if' | 'call-as-if' | 'estimate' | 'upper-bound'

/** The new health of the service */
export type HealthEvent = {
  status: HealthStatus
  /** Time of the response */
  timestamp: string
  /** Seconds since the start of the service */
  uptime: number
  /** Version of the service */
  version: string
  /** State of each chain */
  chains: ChainHealth[]
  storage: StorageState
  limits: LimitScope
  /** Index of the topic in `topics` */
  index: number
}

/** State of the service */
export type HealthStatus = 'ok' | 'degraded' | 'down'

/** An event with the name `health` */
export type HealthStreamEvent = {
  /** Cursor to continue after this event: the next `Last-Event-ID` */
  id: string
  /** Name of the event */
  event: 'health'
  data: HealthEvent
}

/** The health of the service */
export type HealthTopic = {
  /** The health of `/health` */
  topic: 'health'
}

/** A reason why the conversion would fail if the wallet sent it now */
export type Issue = {
  /** Error code with which the transaction would fail */
  code:
    | 'svc/insufficient-allowance'
    | 'svc/insufficient-balance'
    | 'svc/insufficient-gas'
    | 'svc/below-min-target'
    | 'svc/above-max-input'
    | 'svc/account-blocked'
    | 'svc/token-paused'
  /** Description of the issue */
  message: string
  /** Amount that the conversion needs */
  required: string
  /** Available amount: in the wallet, at the market, or as the maximum of the quote. 0 while the token refuses the transfer */
  current: string
}

/** A webhook with its secret or its public key */
export type IssuedWebhook = {
  /** Id of the webhook */
  id: string
  /** URL of the receiver */
  url: string
  /** Types of the events that are delivered */
  events: WebhookEventType[]
  /** Time at which the webhook was created */
  createdAt: string
  /** `v1`: HMAC-SHA256 by a shared secret. `v1a`: ed25519 by a private key of the service */
  signature: WebhookSignature
  /** Public key that verifies the messages. Present with the signature `v1a` */
  publicKey?: string | undefined
  /** Time of the first failed attempt since the last success. Absent if the last attempt succeeded */
  failingSince?: string | undefined
  /** Time at which the webhook was disabled. Absent if it is enabled */
  disabledAt?: string | undefined
  /** `gone`: the receiver answered 410. `failing`: no attempt succeeded for three days */
  disabledReason?: WebhookDisabledReason | undefined
  /** Secret that signs the messages. Only this response contains it. Present with the signature `v1` */
  secret?: string | undefined
}

/** `secret` for servers, `publishable` for pages */
export type KeyKind = 'secret' | 'publishable'

/** The result of one amount */
export type LadderRow = {
  /** Amount to pay */
  amountIn: string
  /** Amount received at that block, after all fees */
  amountOut?: string | undefined
  /** `amountOut` per `amountIn` */
  exchangeRate?: string | undefined
  /** Value of `amountIn` at the oracles' prices, before all fees */
  oracleAmountOut?: string | undefined
  /** Amount that the pools pay beyond `oracleAmountOut` less the fees and rounding, in percent of `oracleAmountOut`. Negative if the pools pay less. Zero for our own pools, whose price does not depend on the amount */
  impact?: string | undefined
  /** Why a preview of this amount fails. Absent if it succeeds */
  error?:
    | {
        /** Code of the error */
        code: ErrorCode
        /** Description of the error */
        message: string
      }
    | undefined
}

/** Scope of the limits: `shared` by all processes, or `local` to this process. `unreachable`: Redis is unreachable, and each process limits on its own */
export type LimitScope = 'local' | 'shared' | 'unreachable'

/** A request in the log of its API key */
export type LoggedRequest = {
  /** Id of the entry, for `before` */
  id: string
  /** Time at which the request arrived */
  at: string
  /** Id of the request */
  requestId: string
  /** Operation that was called */
  operation: string
  /** HTTP status. Each call of a tRPC batch has its own */
  status: number
  /** Code of the error, or of the failure of the transaction */
  code?: string | undefined
  /** How long the request took. The calls of a tRPC batch share the times of their request */
  durationMs: {
    /** Milliseconds from the request to the response */
    total: number
    /** The part of the service itself */
    edge: number
    /** The part that waited for a turn at the nodes */
    queue: number
    /** The part that waited for nodes */
    node: number
  }
  /** Reads of nodes by the request */
  nodeRequests: number
  /** Input without secret and personal values, which are `[redacted]`. Absent if the request was refused before its input was read */
  input?: { [name: string]: unknown } | undefined
  /** For a refusal, the nearest values that work, if the service knows them */
  nearestInput?: { [name: string]: string } | undefined
  /** Hash of the transaction that the request names or sends */
  transactionHash?: `0x${string}` | undefined
}

/** Requests of an API key */
export type LoggedRequestList = {
  /** Requests, newest first */
  requests: LoggedRequest[]
}

/** The hours of the markets of a pair */
export type MarketHours = {
  /** Symbols of the two tokens */
  name: string
  /** Address of the pool */
  poolAddress: `0x${string}`
  /** Whether the deployment declares market hours for a price of the pair. Without hours, the market counts as open */
  hasHours: boolean
  /** Whether all markets of the pair are open */
  isOpen: boolean
  /** Next time at which the markets open. If they are open now, the time after the next close. Null if not within a year */
  nextOpen: string | null
  /** Next time at which one of the markets closes. Null if not within a year */
  nextClose: string | null
}

/** The market hours of all pairs at a block */
export type MarketHoursList = {
  chainId: ChainId
  /** Hours of each pool */
  pairs: MarketHours[]
  /** Number of the block of the response */
  blockNumber: number
  /** Time of that block */
  blockTimestamp: string
}

/** Whether the markets of a conversion are open */
export type MarketState = 'open' | 'closed'

/** A token with its name */
export type NamedToken = {
  /** Address of the token */
  address: `0x${string}`
  /** Symbol of the token */
  symbol: string
  /** Fractional digits of amounts of the token */
  decimals: number
  /** Name of the token */
  name: string
  /** How conversions of the token can be paid: by the `permit` of the token (EIP-2612), by `permit2` for a quote, or by an approval (`approve`). Absent until it has been read */
  approvalMethods?: ('permit' | 'permit2' | 'approve')[] | undefined
}

/** Source of the prices of a receipt's oracle amount */
export type OracleMoment = 'execution' | 'quote' | 'unavailable'

/** The price of a token */
export type OraclePrice = {
  /** Price in US dollars */
  usd: string
  /** Time of the last update of the price */
  lastUpdate: string
  /** Maximum age of the price in seconds. Null for the reference dollar, whose price is fixed */
  maxAgeSeconds: number | null
  /** Longest time between two updates while the market is open, if the deployment declares it */
  heartbeatSeconds?: number | undefined
  /** Whether pools refuse to convert at the price */
  stale: boolean
  reason?: PriceFault | undefined
  /** Address of the token */
  address: `0x${string}`
  /** Address of the oracle. Null for the reference dollar, whose price is fixed */
  oracle: `0x${string}` | null
}

/** The prices of all tokens at a block */
export type OraclePrices = {
  chainId: ChainId
  /** Name of the network */
  chainName: string
  /** Prices by token symbol. Of several tokens with one symbol, it has one: `tokens` has all */
  prices: { [name: string]: OraclePrice }
  /** Prices of all tokens, in the order of the pools */
  tokens: TokenPrice[]
  /** Time of that block */
  timestamp: string
  /** Number of the block of the response */
  blockNumber: number
}

/** The API key of the request */
export type OwnApiKey = {
  /** Id of the key */
  id: string
  /** First characters of the newest secret */
  prefix: string
  kind: KeyKind
  /** Name of the key. Absent for a publishable key */
  name?: string | undefined
  /** Tier, which sets the limits */
  tier: Tier
  /** Limits of the key. Absent for a tier without limits of the key */
  limits?:
    | {
        /** Maximum number of calls per window */
        requests: number
        /** Length of the window in seconds */
        windowSeconds: number
        /** Maximum number of calls per second */
        burstPerSecond: number
        /** Maximum number of calls per month, UTC */
        monthlyQuota: number
        /** Maximum number of concurrent streams. Default: 10 */
        streams?: number | undefined
      }
    | undefined
  /** What the key may do */
  scopes: Scope[]
  /** Time at which the key expires, with all of its secrets */
  expiresAt?: string | undefined
  /** Networks and addresses from which the key works, IPv4 and IPv6. At most 100 */
  allowedCidrs?: string[] | undefined
  /** Whether requests from other addresses than `allowedCidrs` are only logged, not refused */
  isCidrDryRun?: boolean | undefined
  /** Origins whose pages may use the key. At most 100. Requests without `Origin` are refused too */
  allowedOrigins?: string[] | undefined
}

/** The usage of an API key in a month */
export type OwnUsage = {
  /** Month in UTC */
  month: string
  /** Tier, which sets the limits */
  tier: Tier
  /** Admitted calls of the month, including this call */
  calls: number
  /** Calls of the month refused with 429 */
  refused: number
  /** Admitted calls of the month by operation */
  callsByOperation: { [name: string]: number }
  /** Days with calls, oldest first. Calls that an older version counted only by month are not included. */
  days: UsageDay[]
  /** Calls per month. Absent for a tier without limits */
  quota?: number | undefined
  /** Remaining calls of the month. Absent for a tier without limits */
  remaining?: number | undefined
  /** Rate and burst of the key. Absent for a tier without limits */
  limits?:
    | {
        /** Maximum number of calls per window */
        requests: number
        /** Length of the window in seconds */
        windowSeconds: number
        /** Maximum number of calls per second */
        burstPerSecond: number
      }
    | undefined
  /** Budget of requests to the nodes, for calls, streams and webhooks together, in the current window. Absent for a tier without limits */
  nodeRequests?:
    | {
        /** Maximum number of node requests per window */
        limit: number
        /** Length of the window in seconds */
        windowSeconds: number
        /** Node requests that are used in the current window */
        used: number
        /** Seconds until the window ends */
        resetSeconds: number
      }
    | undefined
}

/** A Permit2 transfer to sign, which pays the conversion of the quote */
export type Permit2Step = {
  /** Kind of the step */
  kind: 'permit2'
  /** Effect of the signature, as text for the user */
  reason: string
  typedData: TypedData
  permit: PermitTerms
  /** Steps to use instead if the wallet or the build refuses the signature: an approval, after a reset if the token requires it */
  fallback: TransactionStep[]
}

/** `permit` for EIP-2612 of the token, `permit2` for Permit2 */
export type PermitKind = 'permit' | 'permit2'

/** An EIP-2612 permit to sign, which the conversion carries */
export type PermitStep = {
  /** Kind of the step */
  kind: 'permit'
  /** Effect of the signature, as text for the user */
  reason: string
  typedData: TypedData
  permit: PermitTerms
  /** Steps to use instead if the wallet or the build refuses the signature: an approval, after a reset if the token requires it */
  fallback: TransactionStep[]
}

/** The `permit` of `transaction/build/convert`: add the `signature` and send it */
export type PermitTerms = {
  kind: PermitKind
  /** Deadline to sign, as Unix time in seconds */
  deadline: number
  /** Amount to sign */
  amount: string
  /** Nonce to sign */
  nonce: string
}

/** A pool of two tokens */
export type Pool = {
  /** Address of the pool */
  address: `0x${string}`
  /** Symbols of the two tokens */
  name: string
  chainId: ChainId
  /** First token of the pool */
  token0: TokenReference
  /** Second token of the pool */
  token1: TokenReference
  /** Reserves of the pool, rounded down to 6 fractional digits */
  reserves: {
    /** Reserve of the first token */
    token0: string
    /** Reserve of the second token */
    token1: string
  }
  /** LP tokens that the pool has issued */
  totalSupply: string
  /** Whether its owner has stopped all conversions */
  isFrozen: boolean
}

/** A pool with its fee, prices and limits */
export type PoolDetails = {
  /** Address of the pool */
  address: `0x${string}`
  /** Symbols of the two tokens */
  name: string
  chainId: ChainId
  /** First token of the pool */
  token0: TokenReference
  /** Second token of the pool */
  token1: TokenReference
  /** Reserves of the pool, rounded down to 6 fractional digits */
  reserves: {
    /** Reserve of the first token */
    token0: string
    /** Reserve of the second token */
    token1: string
  }
  /** LP tokens that the pool has issued */
  totalSupply: string
  /** Whether its owner has stopped all conversions */
  isFrozen: boolean
  /** Fee of a conversion */
  fee: string
  /** Prices at which the pool converts */
  oracles: {
    /** Price of the first token */
    token0: PoolOracle
    /** Price of the second token */
    token1: PoolOracle
  }
  /** Largest input of each token. Absent while a price is stale or the pool is frozen, and for a pool that must be priced on chain */
  maxAmountIn?:
    | {
        /** Largest input of the first token */
        token0: string
        /** Largest input of the second token */
        token1: string
      }
    | undefined
  /** Number of the block of the response */
  blockNumber: number
  /** Time of that block */
  blockTimestamp: string
}

/** The new state of a pool */
export type PoolEvent = {
  /** Address of the pool */
  address: `0x${string}`
  /** Symbols of the two tokens */
  name: string
  chainId: ChainId
  /** First token of the pool */
  token0: TokenReference
  /** Second token of the pool */
  token1: TokenReference
  /** Reserves of the pool, rounded down to 6 fractional digits */
  reserves: {
    /** Reserve of the first token */
    token0: string
    /** Reserve of the second token */
    token1: string
  }
  /** LP tokens that the pool has issued */
  totalSupply: string
  /** Whether its owner has stopped all conversions */
  isFrozen: boolean
  /** Fee of a conversion */
  fee: string
  /** Prices at which the pool converts */
  oracles: {
    /** Price of the first token */
    token0: PoolOracle
    /** Price of the second token */
    token1: PoolOracle
  }
  /** Largest input of each token. Absent while a price is stale or the pool is frozen, and for a pool that must be priced on chain */
  maxAmountIn?:
    | {
        /** Largest input of the first token */
        token0: string
        /** Largest input of the second token */
        token1: string
      }
    | undefined
  /** Number of the block of the response */
  blockNumber: number
  /** Time of that block */
  blockTimestamp: string
  /** Index of the topic in `topics` */
  index: number
}

/** A page of pools */
export type PoolList = {
  /** Pools of the page */
  pools: Pool[]
  /** Position of the page */
  pagination: {
    /** Number of the page */
    page: number
    /** Maximum number of pools per page */
    limit: number
    /** Number of all pools */
    total: number
  }
  /** Number of the block of the response */
  blockNumber: number
  /** Time of that block */
  blockTimestamp: string
}

/** The price that a pool uses for a token */
export type PoolOracle = {
  /** Price in US dollars */
  usd: string
  /** Time of the last update of the price */
  lastUpdate: string
  /** Maximum age of the price in seconds. Null for the reference dollar, whose price is fixed */
  maxAgeSeconds: number | null
  /** Longest time between two updates while the market is open, if the deployment declares it */
  heartbeatSeconds?: number | undefined
  /** Whether pools refuse to convert at the price */
  stale: boolean
  reason?: PriceFault | undefined
  /** Address of the oracle. Null for the reference dollar, whose price is fixed */
  address: `0x${string}` | null
}

/** An event with the name `pool` */
export type PoolStreamEvent = {
  /** Cursor to continue after this event: the next `Last-Event-ID` */
  id: string
  /** Name of the event */
  event: 'pool'
  /** The state of the topic, or the reason why it currently fails */
  data: PoolEvent | FailedTopicEvent
}

/** A pool */
export type PoolTopic = {
  /** A pool of `pools` */
  topic: 'pool'
  /** @default 84532 */
  chainId?: ChainId | undefined
  /** Address of the pool */
  poolAddress: `0x${string}`
}

/** Why pools refuse to convert at the price. Absent unless it is stale. `age`: The price is older than its maximum age, or was never set. `invalid`: The answer of the oracle is zero or negative. `bounds`: The answer of the oracle is outside of the bounds within which the pool accepts it, so it is probably wrong. `step`: The answer of the oracle differs from the answer of the round before by more than the pool accepts. The next round that is close to it confirms it. `sequencer`: The sequencer of the network is down, or has restarted so recently that oracles may not have been updated. `oracle` is its uptime feed. `depeg`: The reference token is not worth a dollar */
export type PriceFault = 'age' | 'invalid' | 'bounds' | 'step' | 'sequencer' | 'depeg'

/** New prices of a network */
export type PricesEvent = {
  chainId: ChainId
  /** Name of the network */
  chainName: string
  /** Prices by token symbol. Of several tokens with one symbol, it has one: `tokens` has all */
  prices: { [name: string]: OraclePrice }
  /** Prices of all tokens, in the order of the pools */
  tokens: TokenPrice[]
  /** Time of that block */
  timestamp: string
  /** Number of the block of the response */
  blockNumber: number
  /** Index of the topic in `topics` */
  index: number
}

/** An event with the name `prices` */
export type PricesStreamEvent = {
  /** Cursor to continue after this event: the next `Last-Event-ID` */
  id: string
  /** Name of the event */
  event: 'prices'
  /** The state of the topic, or the reason why it currently fails */
  data: PricesEvent | FailedTopicEvent
}

/** The oracle prices of a network */
export type PricesTopic = {
  /** The prices of `oracle/prices` */
  topic: 'prices'
  /** @default 84532 */
  chainId?: ChainId | undefined
}

/** A conversion at terms that are fixed until `expiresAt` */
export type Quote = {
  /** The quote, for `transaction/build/convert`, `transaction/broadcast/convert` and `convert/receipt`. It contains letters, digits, `-`, `_` and `.`, and is valid only for this API key */
  quote: string
  /** Time at which the quote expires, by the clock or by the time of a block. Not later than the next close of the markets of its prices */
  expiresAt: string
  mode: ConversionMode
  /** Amount to pay */
  amountIn: string
  /** Amount to receive, after all fees */
  amountOut: string
  /** Smallest amount to receive. Only for `exact-in` */
  minAmountOut?: string | undefined
  /** Largest amount to pay, which is the amount to approve. Only for `exact-out`. Equal to `amountIn` if no contract can swap for an exact output */
  maxAmountIn?: string | undefined
  /** Token to pay */
  tokenIn: TokenReference
  /** Token to receive */
  tokenOut: TokenReference
  /** Contract that the conversion calls. Approve it for `tokenIn` */
  spender: `0x${string}`
  /** Pools of the conversion, in order */
  route: QuoteHop[]
  /** `amountOut` per `amountIn` */
  exchangeRate: string
  /** `amountIn` per `amountOut` */
  inverseRate: string
  /** `oracleAmountOut` per `amountIn` */
  oracleRate: string
  /** Value of `amountIn` at the oracles' prices, before all fees */
  oracleAmountOut: string
  parts: QuoteParts
  /** Combined fee rate of all pools of the route. With two pools, it is exactly `1 - (1 - fee) x (1 - fee)` */
  routeFeeRate: string
  /** Whether the markets of the prices are open at that block. Absent if their hours are unknown. Conversions continue while a market is closed, but its prices may become stale */
  market?: MarketState | undefined
  /** Number of the block of the response */
  blockNumber: number
  /** Hash of that block */
  blockHash: `0x${string}`
  /** Time of that block */
  blockTimestamp: string
  /** Gas limit, with a margin. Only with `userAddress` */
  gasLimit?: string | undefined
  /** Recommended maximum fee per gas, in wei */
  maxFeePerGas?: string | undefined
  /** Recommended maximum priority fee per gas, in wei */
  maxPriorityFeePerGas?: string | undefined
  /** How `gasLimit` was found: `estimate-as-if` and `call-as-if` assume sufficient balance and allowance. `estimate` uses the balance and allowance of the wallet. `upper-bound` is a fixed limit for nodes that cannot estimate, and for conversions that would fail now */
  gasEstimateSource?: GasEstimateSource | undefined
  /** What the transaction also pays for its bytes on L1, in wei, with a margin. Only on chains of the OP stack. `issues` count it */
  l1Fee?: string | undefined
  /** Reasons why the conversion would fail if the wallet sent it now. Only with `userAddress` */
  issues?: Issue[] | undefined
}

/** A new quote */
export type QuoteEvent = {
  /** The quote, for `transaction/build/convert`, `transaction/broadcast/convert` and `convert/receipt`. It contains letters, digits, `-`, `_` and `.`, and is valid only for this API key */
  quote: string
  /** Time at which the quote expires, by the clock or by the time of a block. Not later than the next close of the markets of its prices */
  expiresAt: string
  mode: ConversionMode
  /** Amount to pay */
  amountIn: string
  /** Amount to receive, after all fees */
  amountOut: string
  /** Smallest amount to receive. Only for `exact-in` */
  minAmountOut?: string | undefined
  /** Largest amount to pay, which is the amount to approve. Only for `exact-out`. Equal to `amountIn` if no contract can swap for an exact output */
  maxAmountIn?: string | undefined
  /** Token to pay */
  tokenIn: TokenReference
  /** Token to receive */
  tokenOut: TokenReference
  /** Contract that the conversion calls. Approve it for `tokenIn` */
  spender: `0x${string}`
  /** Pools of the conversion, in order */
  route: QuoteHop[]
  /** `amountOut` per `amountIn` */
  exchangeRate: string
  /** `amountIn` per `amountOut` */
  inverseRate: string
  /** `oracleAmountOut` per `amountIn` */
  oracleRate: string
  /** Value of `amountIn` at the oracles' prices, before all fees */
  oracleAmountOut: string
  parts: QuoteParts
  /** Combined fee rate of all pools of the route. With two pools, it is exactly `1 - (1 - fee) x (1 - fee)` */
  routeFeeRate: string
  /** Whether the markets of the prices are open at that block. Absent if their hours are unknown. Conversions continue while a market is closed, but its prices may become stale */
  market?: MarketState | undefined
  /** Number of the block of the response */
  blockNumber: number
  /** Hash of that block */
  blockHash: `0x${string}`
  /** Time of that block */
  blockTimestamp: string
  /** Gas limit, with a margin. Only with `userAddress` */
  gasLimit?: string | undefined
  /** Recommended maximum fee per gas, in wei */
  maxFeePerGas?: string | undefined
  /** Recommended maximum priority fee per gas, in wei */
  maxPriorityFeePerGas?: string | undefined
  /** How `gasLimit` was found: `estimate-as-if` and `call-as-if` assume sufficient balance and allowance. `estimate` uses the balance and allowance of the wallet. `upper-bound` is a fixed limit for nodes that cannot estimate, and for conversions that would fail now */
  gasEstimateSource?: GasEstimateSource | undefined
  /** What the transaction also pays for its bytes on L1, in wei, with a margin. Only on chains of the OP stack. `issues` count it */
  l1Fee?: string | undefined
  /** Reasons why the conversion would fail if the wallet sent it now. Only with `userAddress` */
  issues?: Issue[] | undefined
  /** Index of the topic in `topics` */
  index: number
}

/** A pool of the route of a quote */
export type QuoteHop = {
  /** Address of the pool */
  address: `0x${string}`
  /** Token that the pool takes */
  tokenIn: TokenReference
  /** Token that the pool pays */
  tokenOut: TokenReference
  /** Fee of the pool */
  fee: string
}

/** In the output token, exactly: `oracleAmountOut` + `impact` - `fee` - `rounding` = `amountOut` */
export type QuoteParts = {
  /** Amount that the pools add to the oracles' amount. Negative if they pay less. Zero for our own pools */
  impact: string
  /** Fees of the pools */
  fee: string
  /** Loss by rounding */
  rounding: string
}

/** An event with the name `quote` */
export type QuoteStreamEvent = {
  /** Cursor to continue after this event: the next `Last-Event-ID` */
  id: string
  /** Name of the event */
  event: 'quote'
  /** The state of the topic, or the reason why it currently fails */
  data: QuoteEvent | FailedTopicEvent
}

/** A quote, again when its amounts change or half of its validity has passed */
export type QuoteTopic = {
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
  /** A quote of `convert/quote` */
  topic: 'quote'
}

/** One of several conversions */
export type ReceiptConversion = {
  status: TransactionState
  /** Amount that the transaction fixed: the input or the output. Absent if unknown */
  mode?: ConversionMode | undefined
  /** Account that paid */
  payer?: `0x${string}` | undefined
  /** Account that received */
  recipient?: `0x${string}` | undefined
  /** Token paid */
  tokenIn?: TokenReference | undefined
  /** Token received */
  tokenOut?: TokenReference | undefined
  /** Amount paid */
  amountIn?: string | undefined
  /** Amount received */
  amountOut?: string | undefined
  /** Source of the oracles' prices: the `execution`, or the `quote` of the request. `unavailable` if the prices of the execution are uncertain, for example because no node has the state of that block. The fields that need the prices are then absent */
  oracleAt?: OracleMoment | undefined
  /** Value of `amountIn` at the oracles' prices, before all fees */
  oracleAmountOut?: string | undefined
  /** Parts of the difference between `oracleAmountOut` and `amountOut` */
  parts?: ReceiptParts | undefined
  /** Combined fee rate of all pools of the route. With two pools, it is exactly `1 - (1 - fee) x (1 - fee)` */
  routeFeeRate?: string | undefined
  /** `amountOut` per `amountIn` */
  executedRate?: string | undefined
  /** `oracleAmountOut` per `amountIn` */
  oracleRate?: string | undefined
  /** Loss compared with `oracleAmountOut` less `routeFeeRate`. Negative if more was received */
  slippage?: string | undefined
  /** Why the conversion reverted, if it failed and a replay shows the reason */
  failure?: TransactionFailure | undefined
}

/** In the output token, exactly: `oracleAmountOut` + `priceMove` + `impact` - `fee` - `rounding` = `amountOut` */
export type ReceiptParts = {
  /** Change of the amount by the oracles' price changes from the quote to the execution. Zero without a quote */
  priceMove: string
  /** Amount that the pools added to the oracles' amount. Negative if they paid less. Zero for our own pools */
  impact: string
  /** Fees of the pools */
  fee: string
  /** Loss by rounding */
  rounding: string
}

/** The terms of the quote */
export type ReceiptQuote = {
  /** The fixed amount */
  mode: ConversionMode
  /** Amount to pay */
  amountIn: string
  /** Amount to receive */
  amountOut: string
  /** Smallest amount to receive. Only for `exact-in` */
  minAmountOut?: string | undefined
  /** Largest amount to pay. Only for `exact-out` */
  maxAmountIn?: string | undefined
  /** Time at which the quote expired */
  expiresAt: string
  /** Number of the block of the quote */
  blockNumber: number
  /** Hash of that block */
  blockHash: `0x${string}`
  /** Time of that block */
  blockTimestamp: string
}

/** The stream ends here and continues elsewhere */
export type ReconnectEvent = {
  /** Why to reconnect */
  reason: string
}

/** An event with the name `reconnect` */
export type ReconnectStreamEvent = {
  /** Cursor to continue after this event: the next `Last-Event-ID` */
  id: string
  /** Name of the event */
  event: 'reconnect'
  data: ReconnectEvent
}

/** An approval of zero, which the token requires before another amount */
export type ResetStep = {
  /** Kind of the step */
  kind: 'reset'
  /** Why the step is needed, as text for the user */
  reason: string
  /** Transaction to sign */
  transaction: UnsignedTransaction
  /** The same transaction for `eth_sendTransaction` of a wallet */
  walletTransaction: WalletTransaction
  /** What the transaction also pays for its bytes on L1, in wei, with a margin. Only on chains of the OP stack */
  l1Fee?: string | undefined
}

/** The new secret of an API key */
export type RotatedOwnApiKey = {
  /** Id of the key */
  id: string
  /** Secret for the header X-API-Key. Only this response contains it */
  key: string
  /** Time at which the older secrets expire */
  oldKeysExpireAt: string
}

/** A webhook with its new secret or its new public key */
export type RotatedWebhook = {
  /** Id of the webhook */
  id: string
  /** URL of the receiver */
  url: string
  /** Types of the events that are delivered */
  events: WebhookEventType[]
  /** Time at which the webhook was created */
  createdAt: string
  /** `v1`: HMAC-SHA256 by a shared secret. `v1a`: ed25519 by a private key of the service */
  signature: WebhookSignature
  /** Public key that verifies the messages. Present with the signature `v1a` */
  publicKey?: string | undefined
  /** Time of the first failed attempt since the last success. Absent if the last attempt succeeded */
  failingSince?: string | undefined
  /** Time at which the webhook was disabled. Absent if it is enabled */
  disabledAt?: string | undefined
  /** `gone`: the receiver answered 410. `failing`: no attempt succeeded for three days */
  disabledReason?: WebhookDisabledReason | undefined
  /** Secret that signs the messages. Only this response contains it. Present with the signature `v1` */
  secret?: string | undefined
  /** Time from which the replaced secret no longer signs */
  oldSecretExpiresAt: string
}

/** Part of the API that a key may use. `read`: Read chains, pools, prices, market hours, transactions and receipts, preview and quote, open streams. `build`: Plan and build approvals, conversions and replacements. `broadcast`: Broadcast signed transactions. `webhooks`: Manage the webhooks of the key, and read their deliveries. `usage`: Read the usage of the key. `faucet`: Read the faucet, and build claims of test tokens. `rotate`: Replace the secret of the key */
export type Scope = 'read' | 'build' | 'broadcast' | 'webhooks' | 'usage' | 'faucet' | 'rotate'

/** A signature that pays a conversion instead of an allowance */
export type SignedPermit = {
  kind: PermitKind
  /** Signed deadline, as Unix time in seconds. For `permit2`, the expiry of the quote */
  deadline: number
  /** Signature of the typed data, hex */
  signature: `0x${string}`
  /** Signed amount. Default: the most that the conversion may take */
  amount?: string | undefined
  /** Signed nonce. Default: the current nonce, or for `permit2` the nonce of the quote */
  nonce?: string | undefined
}

/** State of the database of keys and usage. unwritable: its disk is full or it is read-only. Keys work, calls are counted in memory, and keys cannot be created or changed. unreachable: only keys in memory work */
export type StorageState = 'ok' | 'unwritable' | 'unreachable'

/** A Server-Sent Event: its name, its id, and its data as JSON */
export type StreamEvent =
  | QuoteStreamEvent
  | PricesStreamEvent
  | PoolStreamEvent
  | TransactionStreamEvent
  | HealthStreamEvent
  | ReconnectStreamEvent
  | EndStreamEvent

/** An error as responses have it, with the details of its code */
export type StreamFailure = {
  /** Always false */
  success: false
  /** Code and description */
  error: string
  /** Code of the error */
  code: ErrorCode
  /** Documentation of the code */
  type: string
  /** Whether it may pass by itself */
  retryable: boolean
  action: ErrorAction
  /** Id of the request that opened the stream */
  requestId: string
  /** Id of the trace of that request, for the operator. Absent for most requests */
  traceId?: string | undefined
}

/** What a stream watches */
export type StreamTopics = (QuoteTopic | PricesTopic | PoolTopic | TransactionTopic | HealthTopic)[]

/** Tier of a key, which sets its limits */
export type Tier = 'standard' | 'sandbox' | 'staging' | 'production' | 'local'

/** The price of a token, with its symbol */
export type TokenPrice = {
  /** Price in US dollars */
  usd: string
  /** Time of the last update of the price */
  lastUpdate: string
  /** Maximum age of the price in seconds. Null for the reference dollar, whose price is fixed */
  maxAgeSeconds: number | null
  /** Longest time between two updates while the market is open, if the deployment declares it */
  heartbeatSeconds?: number | undefined
  /** Whether pools refuse to convert at the price */
  stale: boolean
  reason?: PriceFault | undefined
  /** Address of the token */
  address: `0x${string}`
  /** Address of the oracle. Null for the reference dollar, whose price is fixed */
  oracle: `0x${string}` | null
  /** Symbol of the token */
  symbol: string
}

/** A token */
export type TokenReference = {
  /** Address of the token */
  address: `0x${string}`
  /** Symbol of the token */
  symbol: string
  /** Fractional digits of amounts of the token */
  decimals: number
}

/** `pending`: not mined. `included`, `safe`, `finalized`: succeeded, by the finality of its block. `failed`: reverted. `replaced`: another transaction used its nonce. `dropped`: no node has it, and its deadline has passed. `reorged`: no longer in the block of the cursor */
export type TrackedState = 'pending' | 'included' | 'safe' | 'finalized' | 'failed' | 'replaced' | 'dropped' | 'reorged'

/** The state of a transaction, and its finality */
export type TrackedTransaction = {
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  chainId: ChainId
  status: TrackedState
  /** Whether a node has the transaction. Only if it is pending */
  visible?: boolean | undefined
  /** Whether a node has another pending transaction with the same nonce. Only if the transaction is pending and no node has it */
  contested?: boolean | undefined
  /** Whether no node has had the transaction for an hour. Only if it is pending and no node has it */
  unseen?: boolean | undefined
  /** Sender of the transaction */
  from?: `0x${string}` | undefined
  /** Nonce of the transaction */
  nonce?: number | undefined
  /** Number of the block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Hash of the block */
  blockHash?: `0x${string}` | undefined
  /** Time of the block */
  blockTimestamp?: string | undefined
  /** How final the block of the transaction is, even if the transaction failed */
  finality?: Finality | undefined
  /** Proof of the finality. Absent while it is `included` */
  finalityProof?: FinalityProof | undefined
  confirmations?: Confirmations | undefined
  /** Number of nodes that have the same receipt in the same block. 1: no second node had it within ten minutes. Only if the block is `finalized`, and the service has several nodes */
  witnesses?: number | undefined
  /** Why the transaction reverted, if it failed */
  failure?: TransactionFailure | undefined
  /** The transaction that replaced this one. Absent if no transaction did, since the code of an account may also use a nonce */
  replacement?: TransactionReplacement | undefined
  /** Deadline of the calldata, after which the transaction can only revert. Only if it is dropped */
  deadline?: string | undefined
  /** Previous block and current state. Only if the transaction is `reorged` */
  reorg?: TransactionReorg | undefined
  /** Opaque text for the next request, to detect a replacement or a reorganisation. Keep the newest cursor. Absent if the sender is unknown */
  cursor?: string | undefined
}

/** A transition of a transaction */
export type TransactionEvent = {
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  chainId: ChainId
  status: TrackedState
  /** Whether a node has the transaction. Only if it is pending */
  visible?: boolean | undefined
  /** Whether a node has another pending transaction with the same nonce. Only if the transaction is pending and no node has it */
  contested?: boolean | undefined
  /** Whether no node has had the transaction for an hour. Only if it is pending and no node has it */
  unseen?: boolean | undefined
  /** Sender of the transaction */
  from?: `0x${string}` | undefined
  /** Nonce of the transaction */
  nonce?: number | undefined
  /** Number of the block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Hash of the block */
  blockHash?: `0x${string}` | undefined
  /** Time of the block */
  blockTimestamp?: string | undefined
  /** How final the block of the transaction is, even if the transaction failed */
  finality?: Finality | undefined
  /** Proof of the finality. Absent while it is `included` */
  finalityProof?: FinalityProof | undefined
  confirmations?: Confirmations | undefined
  /** Number of nodes that have the same receipt in the same block. 1: no second node had it within ten minutes. Only if the block is `finalized`, and the service has several nodes */
  witnesses?: number | undefined
  /** Why the transaction reverted, if it failed */
  failure?: TransactionFailure | undefined
  /** The transaction that replaced this one. Absent if no transaction did, since the code of an account may also use a nonce */
  replacement?: TransactionReplacement | undefined
  /** Deadline of the calldata, after which the transaction can only revert. Only if it is dropped */
  deadline?: string | undefined
  /** Previous block and current state. Only if the transaction is `reorged` */
  reorg?: TransactionReorg | undefined
  /** Opaque text for the next request, to detect a replacement or a reorganisation. Keep the newest cursor. Absent if the sender is unknown */
  cursor?: string | undefined
  /** Index of the topic in `topics` */
  index: number
}

/** Why a transaction reverted */
export type TransactionFailure = {
  /** Code of the error */
  code: ErrorCode
  /** Description of the error */
  message: string
  /** Error with which the contract reverted */
  revert: {
    /** Name of the error */
    name: string
    /** Arguments of the error */
    args: string[]
  }
}

/** How a transaction left its block */
export type TransactionReorg = {
  /** `moved`: in another block. `pending`: pending again. `gone`: no node has it */
  outcome: 'moved' | 'pending' | 'gone'
  /** Current status, which the next request returns */
  status: 'pending' | 'included' | 'safe' | 'finalized' | 'failed' | 'replaced' | 'dropped'
  /** Number of the block that had it */
  blockNumber: number
  /** Hash of the block that had it */
  blockHash: `0x${string}`
}

/** The transaction that used the nonce of another transaction */
export type TransactionReplacement = {
  /** Hash of the transaction that used the nonce */
  transactionHash: `0x${string}`
  /** `speed-up`: the same call. `same-intent`: a conversion of the same amount of the same tokens for the same recipient, at other terms. `cancel`: an empty transfer to the sender. `other`: any other transaction. Absent if the replaced call is unknown */
  kind?: 'speed-up' | 'same-intent' | 'cancel' | 'other' | undefined
  /** Whether the transaction succeeded or reverted */
  status: 'success' | 'failed'
  /** Number of the block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Hash of the block */
  blockHash?: `0x${string}` | undefined
  /** Time of the block */
  blockTimestamp?: string | undefined
  /** How final the block of the transaction is, even if the transaction failed */
  finality?: Finality | undefined
  /** Proof of the finality. Absent while it is `included` */
  finalityProof?: FinalityProof | undefined
  confirmations?: Confirmations | undefined
  /** Number of nodes that have the same receipt in the same block. 1: no second node had it within ten minutes. Only if the block is `finalized`, and the service has several nodes */
  witnesses?: number | undefined
}

/** `pending` until the transaction is mined, then `success`, or `failed` if it reverted */
export type TransactionState = 'pending' | 'success' | 'failed'

/** The state of a transaction */
export type TransactionStatus = {
  status: TransactionState
  /** Number of the block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Number of confirmations, including its own block */
  confirmations?: number | undefined
  /** Why the transaction reverted, if it failed */
  failure?: TransactionFailure | undefined
}

/** A transaction to sign and send, by `kind` */
export type TransactionStep = ResetStep | ApproveStep

/** An event with the name `transaction` */
export type TransactionStreamEvent = {
  /** Cursor to continue after this event: the next `Last-Event-ID` */
  id: string
  /** Name of the event */
  event: 'transaction'
  /** The state of the topic, or the reason why it currently fails */
  data: TransactionEvent | FailedTopicEvent
}

/** A transaction, to its end */
export type TransactionTopic = {
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
  /** A transaction of `transaction/track` */
  topic: 'transaction'
}

/** EIP-712 typed data. Pass it unchanged as the second parameter of `eth_signTypedData_v4` */
export type TypedData = {
  domain: TypedDataDomain
  /** Fields of each type by its name, including `EIP712Domain` */
  types: { [name: string]: TypedDataField[] }
  /** Type of the message */
  primaryType: string
  /** Message to sign. Numbers are decimal strings */
  message: { [name: string]: unknown }
}

/** The domain of typed data, with exactly the fields of the contract */
export type TypedDataDomain = {
  /** Name of the contract */
  name?: string | undefined
  /** Version of the contract */
  version?: string | undefined
  chainId?: ChainId | undefined
  /** Contract that verifies the signature */
  verifyingContract?: `0x${string}` | undefined
  /** Salt of the contract, 32 bytes. Some tokens have the chain id here */
  salt?: `0x${string}` | undefined
}

/** A field of a type */
export type TypedDataField = {
  /** Name of the field */
  name: string
  /** Type of the field in Solidity */
  type: string
}

/** An unsigned claim of all tokens of the faucet */
export type UnsignedClaim = {
  /** Address of the contract to call */
  to: `0x${string}`
  /** Calldata, hex */
  data: `0x${string}`
  /** Native currency to send, in wei */
  value: string
  chainId: ChainId
  /** Gas limit, with a margin */
  gasLimit: string
  /** What the transaction also pays for its bytes on L1, in wei, with a margin. Only on chains of the OP stack */
  l1Fee?: string | undefined
}

/** An unsigned conversion */
export type UnsignedConvert = {
  /** Address of the contract to call */
  to: `0x${string}`
  /** Calldata, hex */
  data: `0x${string}`
  /** Native currency to send, in wei */
  value: string
  chainId: ChainId
  /** Gas limit, with a margin */
  gasLimit: string
  /** Recommended maximum fee per gas, in wei */
  maxFeePerGas: string
  /** Recommended maximum priority fee per gas, in wei */
  maxPriorityFeePerGas: string
  /** How `gasLimit` was found: `estimate-as-if` and `call-as-if` assume sufficient balance and allowance. `estimate` uses the balance and allowance of the wallet. `upper-bound` is a fixed limit for nodes that cannot estimate, and for conversions that would fail now */
  gasEstimateSource: GasEstimateSource
  /** What the transaction also pays for its bytes on L1, in wei, with a margin. Only on chains of the OP stack. `issues` count it */
  l1Fee?: string | undefined
  /** Last time at which the transaction may be mined, as Unix time in seconds */
  deadline: number
  /** Reasons why the conversion would fail if it were sent now, without other calls. Empty if it would succeed. A missing allowance is not listed if the `permit` provides it, but it is listed even if `calls` would approve it */
  issues: Issue[]
  /** Number of the block at whose prices the conversion was checked */
  blockNumber: number
  /** Time of that block */
  blockTimestamp: string
  /** Every call that the wallet needs now, as the `calls` of `wallet_sendCalls` (EIP-5792). Send them with `atomicRequired`. They are an approval if the allowance is too low, after a reset if the token requires it, and the conversion. Absent with a `permit` */
  calls?: WalletCall[] | undefined
  /** The kind of each of `calls`, in the same order, with the gas that it needs after the previous calls */
  callGasLimits?: CallGasLimit[] | undefined
  /** The same transaction for the `eth_sendTransaction` of a wallet */
  transaction: WalletTransaction
  /** Current output of a quote with a fixed input, at the newest block. Absent if unknown */
  amountOutNow?: string | undefined
  /** Current cost of a quote with a fixed output, at the newest block. Absent if unknown */
  amountInNow?: string | undefined
}

/** An unsigned transaction that replaces a pending transaction */
export type UnsignedReplacement = {
  /** Receiver of the transaction */
  to: `0x${string}`
  /** Calldata, hex */
  data: `0x${string}`
  /** Native currency to send, in wei */
  value: string
  chainId: ChainId
  /** Gas limit. For `speed-up`, the gas limit of the pending transaction */
  gasLimit: string
  /** Recommended maximum fee per gas, in wei */
  maxFeePerGas: string
  /** Recommended maximum priority fee per gas, in wei */
  maxPriorityFeePerGas: string
  /** What the transaction also pays for its bytes on L1, in wei, with a margin. Only on chains of the OP stack */
  l1Fee?: string | undefined
  /** Nonce of the pending transaction */
  nonce: number
  /** Sender of the pending transaction */
  from: `0x${string}`
  /** The same transaction for the `eth_sendTransaction` of a wallet */
  transaction: WalletReplacement
}

/** A transaction without nonce and signature */
export type UnsignedTransaction = {
  /** Address of the contract to call */
  to: `0x${string}`
  /** Calldata, hex */
  data: `0x${string}`
  /** Native currency to send, in wei */
  value: string
  chainId: ChainId
  /** Gas limit, with a margin */
  gasLimit: string
}

/** The usage of an API key on a day */
export type UsageDay = {
  /** Day in UTC */
  day: string
  /** Admitted calls of the day */
  calls: number
  /** Calls of the day refused with 429 */
  refused: number
  /** Admitted calls of the day by operation */
  callsByOperation: { [name: string]: number }
}

/** A call of a batch by EIP-5792 */
export type WalletCall = {
  /** Address of the contract to call */
  to: `0x${string}`
  /** Calldata, hex */
  data: `0x${string}`
  /** Native currency to send, in wei */
  value: '0x0'
}

/** A transaction with its nonce, for the `eth_sendTransaction` of a wallet */
export type WalletReplacement = {
  /** Wallet that signs and pays */
  from: `0x${string}`
  /** Receiver of the transaction */
  to: `0x${string}`
  /** Calldata, hex */
  data: `0x${string}`
  /** Native currency to send, in wei */
  value: `0x${string}`
  /** Gas limit, with a margin */
  gas: `0x${string}`
  /** Maximum fee per gas, in wei */
  maxFeePerGas: `0x${string}`
  /** Maximum priority fee per gas, in wei */
  maxPriorityFeePerGas: `0x${string}`
  /** Chain id of the network */
  chainId: `0x${string}`
  /** Type of the transaction: EIP-1559 */
  type: '0x2'
  /** Nonce of the pending transaction */
  nonce: `0x${string}`
}

/** A transaction for the `eth_sendTransaction` of a wallet. The wallet adds the nonce and signs it */
export type WalletTransaction = {
  /** Wallet that signs and pays */
  from: `0x${string}`
  /** Address of the contract to call */
  to: `0x${string}`
  /** Calldata, hex */
  data: `0x${string}`
  /** Native currency to send, in wei */
  value: `0x${string}`
  /** Gas limit, with a margin */
  gas: `0x${string}`
  /** Maximum fee per gas, in wei */
  maxFeePerGas: `0x${string}`
  /** Maximum priority fee per gas, in wei */
  maxPriorityFeePerGas: `0x${string}`
  /** Chain id of the network */
  chainId: `0x${string}`
  /** Type of the transaction: EIP-1559 */
  type: '0x2'
}

/** A transaction that an API key follows */
export type WatchedTransaction = {
  chainId: ChainId
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  /** Last observed state. Absent until a node has the transaction */
  status?: TrackedState | undefined
  /** Time from which the transaction is followed */
  createdAt: string
  /** Time from which the transaction is no longer followed, because its state is final or a week has passed */
  endedAt?: string | undefined
}

/** The transactions that an API key follows */
export type WatchedTransactionList = {
  /** Followed transactions, newest first */
  watches: WatchedTransaction[]
}

/** A webhook, without its secret */
export type Webhook = {
  /** Id of the webhook */
  id: string
  /** URL of the receiver */
  url: string
  /** Types of the events that are delivered */
  events: WebhookEventType[]
  /** Time at which the webhook was created */
  createdAt: string
  /** `v1`: HMAC-SHA256 by a shared secret. `v1a`: ed25519 by a private key of the service */
  signature: WebhookSignature
  /** Public key that verifies the messages. Present with the signature `v1a` */
  publicKey?: string | undefined
  /** Time of the first failed attempt since the last success. Absent if the last attempt succeeded */
  failingSince?: string | undefined
  /** Time at which the webhook was disabled. Absent if it is enabled */
  disabledAt?: string | undefined
  /** `gone`: the receiver answered 410. `failing`: no attempt succeeded for three days */
  disabledReason?: WebhookDisabledReason | undefined
}

/** Type of a delivered event */
export type WebhookDeliveredEventType =
  | 'transaction.pending'
  | 'transaction.included'
  | 'transaction.safe'
  | 'transaction.finalized'
  | 'transaction.failed'
  | 'transaction.replaced'
  | 'transaction.dropped'
  | 'transaction.reorged'
  | 'market.stale'
  | 'market.frozen'
  | 'market.reopened'
  | 'webhook.test'

/** The delivery of an event to a webhook */
export type WebhookDelivery = {
  /** `webhook-id` of the message, the same in every attempt */
  id: string
  /** Position among the deliveries, for `before` */
  position: number
  type: WebhookDeliveredEventType
  /** Body of the message, exactly as signed and sent */
  payload: string
  /** `pending` until the event is `delivered`, or `given-up` after the last attempt or when its webhook is disabled */
  status: WebhookDeliveryState
  /** Attempts since the event was created or replayed */
  attempts: number
  /** Time of the event */
  createdAt: string
  /** Time of the last attempt */
  lastAttemptAt?: string | undefined
  /** HTTP status of the last attempt. Absent without a response */
  lastStatus?: number | undefined
  /** Why the last attempt failed: `status-<HTTP status>`, `redirect`, `timeout`, `address-not-public`, `name-not-found`, `tls`, `connection`, or `disabled` if the webhook was disabled */
  lastError?: string | undefined
  /** Time from which a pending event is next sent */
  nextAttemptAt?: string | undefined
}

/** Deliveries of a webhook */
export type WebhookDeliveryList = {
  /** Deliveries, newest first */
  deliveries: WebhookDelivery[]
}

/** Whether an event was delivered */
export type WebhookDeliveryState = 'pending' | 'delivered' | 'given-up'

/** Why a webhook is disabled */
export type WebhookDisabledReason = 'gone' | 'failing'

/** Type of an event */
export type WebhookEventType =
  | 'transaction.pending'
  | 'transaction.included'
  | 'transaction.safe'
  | 'transaction.finalized'
  | 'transaction.failed'
  | 'transaction.replaced'
  | 'transaction.dropped'
  | 'transaction.reorged'
  | 'market.stale'
  | 'market.frozen'
  | 'market.reopened'

/** The webhooks of an API key */
export type WebhookList = {
  /** Webhooks of the key, newest first */
  webhooks: Webhook[]
}

/** The result of a replay */
export type WebhookReplay = {
  /** Number of events to redeliver */
  replayed: number
}

/** `v1` for a shared secret, `v1a` for ed25519 with a public key */
export type WebhookSignature = 'v1' | 'v1a'

/** The result of a withdrawal if it were mined in the newest block */
export type WithdrawPreview = {
  /** Address of the pool */
  poolAddress: `0x${string}`
  /** LP tokens to burn, as requested */
  lpAmount: string
  /** First token of the pool */
  token0: TokenReference
  /** Second token of the pool */
  token1: TokenReference
  /** Amounts of both tokens */
  amounts: {
    /** Amount of the first token */
    token0: string
    /** Amount of the second token */
    token1: string
  }
  /** Share of the LP tokens of the pool */
  shareOfPool: string
  /** Number of the block of the response */
  blockNumber: number
  /** Time of that block */
  blockTimestamp: string
}

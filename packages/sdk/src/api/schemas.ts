// Generated from the router by `pnpm generate`. Do not edit.

/** An unsigned approval */
export type Approval = {
  /** Transaction to sign */
  transaction: UnsignedTransaction
  /** What the approval does, for the user to read */
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
  /** Number of the block that the response is of; absent if the reader of the deployment is of a version that does not return it */
  blockNumber?: number | undefined
  /** Time of that block */
  blockTimestamp: string
}

/** What an owner has to sign and send before a conversion */
export type ApprovalPlan = {
  /** Steps, in order; empty if the allowance is enough */
  steps: ApprovalStep[]
  /** Contract that the conversion calls, which takes the token */
  spenderAddress: `0x${string}`
  /** Allowance of the spender */
  currentAllowance: string
  /** Amount that the spender must be able to take: of a quote the most that it may cost */
  requiredAmount: string
  /** Number of the block that the response is of; absent if the reader of the deployment is of a version that does not return it */
  blockNumber?: number | undefined
  /** Time of that block */
  blockTimestamp: string
}

/** What a wallet has to sign, by `kind` */
export type ApprovalStep = ResetStep | ApproveStep | PermitStep | Permit2Step

/** An approval to sign and send */
export type ApproveStep = {
  /** Kind of the step */
  kind: 'approve'
  /** Why the step is needed, for the user to read */
  reason: string
  /** Transaction to sign */
  transaction: UnsignedTransaction
  /** The same transaction for `eth_sendTransaction` of a wallet */
  walletTransaction: WalletTransaction
}

/** The state of a broadcast conversion, with its analysis */
export type BroadcastConvertResult = {
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  status: TransactionState
  /** Number of its block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Why it reverted, if it failed */
  failure?: TransactionFailure | undefined
  /** Analysis of a successful conversion, if its prices are known */
  convert?: ConvertAnalysis | undefined
}

/** The state of a broadcast transaction */
export type BroadcastResult = {
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  status: TransactionState
  /** Number of its block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Why it reverted, if it failed */
  failure?: TransactionFailure | undefined
}

/** What a call of a batch does, and its gas limit */
export type CallGasLimit = {
  /** What the call does */
  kind: 'reset' | 'approve' | 'convert'
  /** Gas limit of the call as a transaction of its own after those before it, with a margin */
  gasLimit: string
}

/** A network that the service serves */
export type Chain = {
  chainId: ChainId
  /** Name of the network */
  name: string
  /** Router, which conversions call and which is the spender to approve */
  router: `0x${string}`
  /** Permit2, to approve for tokens without permits of their own; null if the network has none or the router takes none. Absent until it could be read */
  permit2?: `0x${string}` | null | undefined
  /** Faucet of test tokens; null if the network has none */
  faucet: `0x${string}` | null
  /** Reference dollar, which is the second token of every pool */
  referenceToken: `0x${string}`
  /** Tokens of the pools; empty until the pools could be read for the first time */
  tokens: NamedToken[]
  /** Number of pools, without those that cannot be read */
  pools: number
  /** Currency that pays for gas */
  nativeCurrency: {
    /** Name of the currency */
    name: string
    /** Symbol of the currency */
    symbol: string
    /** Fractional digits of its amounts */
    decimals: number
  }
  /** Block explorer of the network; null for a local chain, whose blocks none shows */
  blockExplorer: {
    /** Name of the block explorer */
    name: string
    /** URL of the block explorer */
    url: string
  } | null
  /** Number of the newest block; null while no node has confirmed one for SNAPSHOT_MAX_AGE_MS */
  blockNumber: number | null
  /** Time of that block, or null */
  blockTimestamp: string | null
}

/** The health of a chain */
export type ChainHealth = {
  chainId: ChainId
  /** ok: the last poll for the newest block was answered within 1.5 s. degraded: it failed, or took longer, or a pool cannot be read, or a clock is suspect. lagging: the newest block is older than MAX_BLOCK_AGE_MS. unreachable: no node has confirmed a block within SNAPSHOT_MAX_AGE_MS */
  status: 'ok' | 'degraded' | 'lagging' | 'unreachable'
  /** What still works: previews, from the last confirmed block; transactions, which is everything that reads or sends through a node at the time of the request */
  available: ('previews' | 'transactions')[]
  /** Error code that requests to the node currently return */
  reason?: 'svc/upstream-error' | 'svc/upstream-timeout' | 'svc/upstream-unavailable' | undefined
  /** clock: by the wall clock of this machine the newest block is older than MAX_BLOCK_AGE_MS, but blocks come in step with its monotonic clock, so that the wall clock is probably ahead. The chain is served */
  suspect?: 'clock' | undefined
  /** Pools of the deployment that cannot be read; the others are served, and these are read again every 5 s. Absent if there is none */
  unreadablePools?: `0x${string}`[] | undefined
  /** Pools that are priced by their own views, since these have differed from the curve that the pools return. They are served, with a call to the node for each preview. Absent if there is none */
  disprovenPools?: `0x${string}`[] | undefined
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

/** The fixed amount: `exact-in` the input, `exact-out` the output */
export type ConversionMode = 'exact-in' | 'exact-out'

/** What a conversion paid and received, and why not more */
export type ConversionReceipt = {
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  /** `pending` until it is mined, then `success`, or `failed` if the conversion reverted */
  status: TransactionState
  /** Which amount the transaction fixed: the input, or the output; absent if that is not known */
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
  /** Where the oracles' prices are from: the `execution`, or the `quote` that the request has. `unavailable` if those of the execution are not known for certain, as when no node has the state of that block any more; the other fields that need them are then absent */
  oracleAt?: OracleMoment | undefined
  /** Value of `amountIn` at the oracles' prices, before all fees */
  oracleAmountOut?: string | undefined
  /** Where the difference between `oracleAmountOut` and `amountOut` went */
  parts?: ReceiptParts | undefined
  /** Rate that all pools of the route charge together: with two pools `1 - (1 - fee) x (1 - fee)`, exactly */
  routeFeeRate?: string | undefined
  /** `amountOut` per `amountIn` */
  executedRate?: string | undefined
  /** `oracleAmountOut` per `amountIn` */
  oracleRate?: string | undefined
  /** Loss against `oracleAmountOut` less 0.05 %; negative if more was received */
  slippage?: string | undefined
  /** Why it reverted, if it failed and a replay shows it */
  failure?: TransactionFailure | undefined
  /** Number of its block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Hash of its block */
  blockHash?: `0x${string}` | undefined
  /** Time of its block */
  blockTimestamp?: string | undefined
  /** Price of its gas, in wei per unit */
  effectiveGasPrice?: string | undefined
  /** What the sender of the transaction paid for gas and data, in native currency */
  gasPaid?: string | undefined
  /** Number of confirmations, its own block included */
  confirmations?: number | undefined
  /** Reference that the quote was issued with */
  clientReference?: string | undefined
  /** What the quote of the request promised */
  quoted?: ReceiptQuote | undefined
  /** All conversions of the transaction, if there are several, in their order. The fields beside are those of the one that executed the quote, else of the first */
  conversions?: ReceiptConversion[] | undefined
}

/** A conversion compared with the oracles' prices in its block */
export type ConvertAnalysis = {
  /** Amount paid, as requested; with a quote, as it was paid */
  amountIn: string
  /** Amount that the quote expected to be paid; only with a quote */
  expectedAmountIn?: string | undefined
  /** Amount expected, as requested or quoted */
  expectedAmountOut: string
  /** Amount received */
  actualAmountOut: string
  /** Amount at the oracles' prices when it was executed, without a fee */
  oracleAmountOut: string
  /** Fee of the conversion; `routeFeeRate` is the rate of `amount` */
  fee: {
    /** Fee of the first pool */
    rate: string
    /** Amount that all pools charge at the oracles' prices, in the token received */
    amount: string
  }
  /** Rate that all pools of the route charge together: with two pools `1 - (1 - fee) x (1 - fee)`, exactly */
  routeFeeRate: string
  /** Loss against the amount at the oracles' prices less 0.05 %; negative if more was received */
  slippage: string
  /** `actualAmountOut` per `amountIn` */
  executedRate: string
  /** `oracleAmountOut` per `amountIn` */
  oracleRate: string
}

/** What many amounts pay, all at one block */
export type ConvertLadder = {
  /** Token to pay */
  tokenIn: TokenReference
  /** Token to receive */
  tokenOut: TokenReference
  /** Fee of the first pool, included in each `amountOut` */
  fee: string
  /** Rate that all pools of the route charge together: with two pools `1 - (1 - fee) x (1 - fee)`, exactly */
  routeFeeRate: string
  /** Largest amount that converts now, in both directions. Of pools that are priced on chain it is the largest that their views pay for, and absent if a node cannot find it */
  maxAmountIn: {
    /** Largest amount of `tokenIn` */
    tokenIn?: string | undefined
    /** Largest amount of `tokenOut` in a conversion back */
    tokenOut?: string | undefined
  }
  /** What each amount pays: of `amounts` in their order, of `steps` in ascending order. There are fewer rows than `steps` if there are fewer amounts, and none if no amount pays anything */
  rows: LadderRow[]
  /** Number of the block that the response is of */
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
  /** Rate that all pools of the route charge together: with two pools `1 - (1 - fee) x (1 - fee)`, exactly */
  routeFeeRate: string
  /** Whether the markets of its prices are open in that block; absent if their hours are unknown. A closed market refuses nothing, but its prices may become stale */
  market?: MarketState | undefined
  /** Recommended `minAmountOut` of `transaction/build/convert`: `amountOut` less 0.05 %, or less if the pool may pay less */
  recommendedMinAmountOut: string
  /** Number of the block that the response is of */
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
  /** Number of the block that the response is of */
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
  /** Cursor to continue after it: the next `Last-Event-ID` */
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
  | 'svc/faucet-cooldown'
  | 'svc/faucet-dry'
  | 'svc/invalid-request'
  | 'svc/invalid-address'
  | 'svc/unsupported-chain'
  | 'svc/unsupported-token'
  | 'svc/pool-not-found'
  | 'svc/not-found'
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
  | 'svc/rate-limited'
  | 'svc/quota-exceeded'
  | 'svc/webhook-not-found'
  | 'svc/webhook-limit'
  | 'svc/upstream-error'
  | 'svc/upstream-unavailable'
  | 'svc/upstream-timeout'
  | 'svc/storage-unavailable'
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
  /** Claims of the user; absent without `userAddress` */
  user?:
    | {
        /** Address of the user */
        address: `0x${string}`
        /** Whether the user may claim now */
        canClaim: boolean
        /** Time of the last claim; absent before the first */
        lastClaimAt?: string | undefined
        /** Time from which the user may claim; absent before the first claim */
        nextClaimAt?: string | undefined
        /** Number of the block that the response is of; absent if the reader of the deployment is of a version that does not return it */
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

/** The block that proves how final another one is */
export type FinalityProof = {
  /** `tag`: the block that the node reports as `safe` or `finalized`. `depth`: the newest block, so many blocks later */
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
  /** Cursor to continue after it: the next `Last-Event-ID` */
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
  /** Code of the error that the transaction would fail with */
  code:
    | 'svc/insufficient-allowance'
    | 'svc/insufficient-balance'
    | 'svc/insufficient-gas'
    | 'svc/below-min-target'
    | 'svc/above-max-input'
  /** Description of the issue */
  message: string
  /** Amount that the conversion needs */
  required: string
  /** Amount that there is: in the wallet, at the market, or as the maximum of the quote */
  current: string
}

/** A webhook with its secret */
export type IssuedWebhook = {
  /** Id of the webhook */
  id: string
  /** URL of the receiver */
  url: string
  /** Types of the events that are delivered */
  events: WebhookEventType[]
  /** Time at which it was created */
  createdAt: string
  /** Time of the first failed attempt since the last success; absent if the last attempt succeeded */
  failingSince?: string | undefined
  /** Time at which it was disabled; absent for an enabled one */
  disabledAt?: string | undefined
  /** `gone`: the receiver answered 410. `failing`: no attempt succeeded for three days */
  disabledReason?: WebhookDisabledReason | undefined
  /** Secret that signs the deliveries; only this response contains it */
  secret: string
}

/** What an amount pays */
export type LadderRow = {
  /** Amount to pay */
  amountIn: string
  /** Amount received at that block, after all fees */
  amountOut?: string | undefined
  /** `amountOut` per `amountIn` */
  exchangeRate?: string | undefined
  /** Value of `amountIn` at the oracles' prices, before all fees */
  oracleAmountOut?: string | undefined
  /** What the pools pay beyond `oracleAmountOut` less the fees and rounding, as percent of it; negative where they pay less. Zero for our own pools, whose price does not depend on the amount */
  impact?: string | undefined
  /** Why a preview of this amount fails; absent if it does not */
  error?:
    | {
        /** Code of the error */
        code: ErrorCode
        /** Description of the error */
        message: string
      }
    | undefined
}

/** Scope of the limits: `shared` by all processes, `local` to this one, or `unreachable` if Redis is, and each process limits by itself */
export type LimitScope = 'local' | 'shared' | 'unreachable'

/** The hours of the markets of a pair */
export type MarketHours = {
  /** Symbols of the two tokens */
  name: string
  /** Address of the pool */
  poolAddress: `0x${string}`
  /** Whether the deployment declares hours for a price of the pair; without them it counts as open */
  hasHours: boolean
  /** Whether all markets of the pair are open */
  isOpen: boolean
  /** When they open next, after the next close if they are open; null if not within a year */
  nextOpen: string | null
  /** When one of them closes next; null if not within a year */
  nextClose: string | null
}

/** The market hours of all pairs at a block */
export type MarketHoursList = {
  chainId: ChainId
  /** Hours of each pool */
  pairs: MarketHours[]
  /** Number of the block that the response is of */
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
  /** How conversions of the token can be paid: by a `permit` of its own (EIP-2612), by `permit2` for a quote, or by an approval (`approve`). Absent until it could be read */
  approvalMethods?: ('permit' | 'permit2' | 'approve')[] | undefined
}

/** Whose prices the oracles' amount of a receipt is at */
export type OracleMoment = 'execution' | 'quote' | 'unavailable'

/** The price of a token */
export type OraclePrice = {
  /** Price in US dollars */
  usd: string
  /** Time of the last update of the price */
  lastUpdate: string
  /** Maximum age of the price in seconds; null for the reference dollar, whose price is fixed */
  maxAgeSeconds: number | null
  /** Longest time between two updates while the market is open, if the deployment declares it */
  heartbeatSeconds?: number | undefined
  /** Whether the price is too old to convert at */
  stale: boolean
  /** Address of the oracle; null for the reference dollar, whose price is fixed */
  oracle: `0x${string}` | null
}

/** The prices of all tokens at a block */
export type OraclePrices = {
  chainId: ChainId
  /** Name of the network */
  chainName: string
  /** Prices by token symbol */
  prices: { [name: string]: OraclePrice }
  /** Time of that block */
  timestamp: string
  /** Number of the block that the response is of */
  blockNumber: number
}

/** The usage of an API key in a month */
export type OwnUsage = {
  /** Month in UTC */
  month: string
  /** Tier, which sets the limits */
  tier: Tier
  /** Admitted calls of the month, this one included */
  calls: number
  /** Calls of the month refused with 429 */
  refused: number
  /** Admitted calls of the month by operation */
  callsByOperation: { [name: string]: number }
  /** The days with calls, the oldest first. Calls from before usage was counted by day are in none of them. */
  days: UsageDay[]
  /** Calls per month; absent for a tier without limits */
  quota?: number | undefined
  /** Calls left in the month; absent for a tier without limits */
  remaining?: number | undefined
  /** Rate and burst of the key; absent for a tier without limits */
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
}

/** A transfer by Permit2 to sign, which pays the conversion of the quote */
export type Permit2Step = {
  /** Kind of the step */
  kind: 'permit2'
  /** What the signature does, for the user to read */
  reason: string
  typedData: TypedData
  permit: PermitTerms
  /** Steps in the place of this one, should the wallet or the build refuse the signature: an approval, after a reset where the token demands it */
  fallback: TransactionStep[]
}

/** `permit` by EIP-2612 of the token, `permit2` for Permit2 */
export type PermitKind = 'permit' | 'permit2'

/** A permit by EIP-2612 to sign, which the conversion carries */
export type PermitStep = {
  /** Kind of the step */
  kind: 'permit'
  /** What the signature does, for the user to read */
  reason: string
  typedData: TypedData
  permit: PermitTerms
  /** Steps in the place of this one, should the wallet or the build refuse the signature: an approval, after a reset where the token demands it */
  fallback: TransactionStep[]
}

/** The `permit` of `transaction/build/convert`: add `signature`, and send it */
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
  /** Fee of a conversion */
  fee: string
  /** Prices that the pool converts at */
  oracles: {
    /** Price of the first token */
    token0: PoolOracle
    /** Price of the second token */
    token1: PoolOracle
  }
  /** Largest input of each token; absent while a price is stale or the pool is frozen, and for a pool that must be priced on chain */
  maxAmountIn?:
    | {
        /** Largest input of the first token */
        token0: string
        /** Largest input of the second token */
        token1: string
      }
    | undefined
  /** Number of the block that the response is of */
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
  /** Fee of a conversion */
  fee: string
  /** Prices that the pool converts at */
  oracles: {
    /** Price of the first token */
    token0: PoolOracle
    /** Price of the second token */
    token1: PoolOracle
  }
  /** Largest input of each token; absent while a price is stale or the pool is frozen, and for a pool that must be priced on chain */
  maxAmountIn?:
    | {
        /** Largest input of the first token */
        token0: string
        /** Largest input of the second token */
        token1: string
      }
    | undefined
  /** Number of the block that the response is of */
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
  /** Number of the block that the response is of */
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
  /** Maximum age of the price in seconds; null for the reference dollar, whose price is fixed */
  maxAgeSeconds: number | null
  /** Longest time between two updates while the market is open, if the deployment declares it */
  heartbeatSeconds?: number | undefined
  /** Whether the price is too old to convert at */
  stale: boolean
  /** Address of the oracle; null for the reference dollar, whose price is fixed */
  address: `0x${string}` | null
}

/** An event with the name `pool` */
export type PoolStreamEvent = {
  /** Cursor to continue after it: the next `Last-Event-ID` */
  id: string
  /** Name of the event */
  event: 'pool'
  /** The state of the topic, or why it fails now */
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

/** New prices of a network */
export type PricesEvent = {
  chainId: ChainId
  /** Name of the network */
  chainName: string
  /** Prices by token symbol */
  prices: { [name: string]: OraclePrice }
  /** Time of that block */
  timestamp: string
  /** Number of the block that the response is of */
  blockNumber: number
  /** Index of the topic in `topics` */
  index: number
}

/** An event with the name `prices` */
export type PricesStreamEvent = {
  /** Cursor to continue after it: the next `Last-Event-ID` */
  id: string
  /** Name of the event */
  event: 'prices'
  /** The state of the topic, or why it fails now */
  data: PricesEvent | FailedTopicEvent
}

/** The oracle prices of a network */
export type PricesTopic = {
  /** The prices of `oracle/prices` */
  topic: 'prices'
  /** @default 84532 */
  chainId?: ChainId | undefined
}

/** A conversion at terms that hold until `expiresAt` */
export type Quote = {
  /** The quote, for `transaction/build/convert`, `transaction/broadcast/convert` and `convert/receipt`. Letters, digits, `-`, `_` and `.`; it is valid for this API key only */
  quote: string
  /** Time from which the quote is over: when a block has it, or the clock. Not later than the next close of the markets of its prices */
  expiresAt: string
  mode: ConversionMode
  /** Amount to pay */
  amountIn: string
  /** Amount to receive, after all fees */
  amountOut: string
  /** Smallest amount to receive; of `exact-in` only */
  minAmountOut?: string | undefined
  /** Largest amount to pay, which is the one to approve; of `exact-out` only. Equal to `amountIn` where no contract swaps for an exact output */
  maxAmountIn?: string | undefined
  /** Token to pay */
  tokenIn: TokenReference
  /** Token to receive */
  tokenOut: TokenReference
  /** Contract that the conversion calls: approve it for `tokenIn` */
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
  /** Rate that all pools of the route charge together: with two pools `1 - (1 - fee) x (1 - fee)`, exactly */
  routeFeeRate: string
  /** Whether the markets of its prices are open in that block; absent if their hours are unknown. A closed market refuses nothing, but its prices may become stale */
  market?: MarketState | undefined
  /** Number of the block that the response is of */
  blockNumber: number
  /** Hash of that block */
  blockHash: `0x${string}`
  /** Time of that block */
  blockTimestamp: string
  /** Gas limit, with a margin; with `userAddress` only */
  gasLimit?: string | undefined
  /** Recommended maximum fee per gas, in wei */
  maxFeePerGas?: string | undefined
  /** Recommended maximum priority fee per gas, in wei */
  maxPriorityFeePerGas?: string | undefined
  /** How `gasLimit` was found: `estimate-as-if` and `call-as-if` assume sufficient balance and allowance, `estimate` uses those of the wallet, `upper-bound` is a fixed limit for nodes that cannot estimate, and for conversions that would fail now */
  gasEstimateSource?: GasEstimateSource | undefined
  /** What would make the conversion fail if the wallet sent it now; with `userAddress` only */
  issues?: Issue[] | undefined
}

/** A new quote */
export type QuoteEvent = {
  /** The quote, for `transaction/build/convert`, `transaction/broadcast/convert` and `convert/receipt`. Letters, digits, `-`, `_` and `.`; it is valid for this API key only */
  quote: string
  /** Time from which the quote is over: when a block has it, or the clock. Not later than the next close of the markets of its prices */
  expiresAt: string
  mode: ConversionMode
  /** Amount to pay */
  amountIn: string
  /** Amount to receive, after all fees */
  amountOut: string
  /** Smallest amount to receive; of `exact-in` only */
  minAmountOut?: string | undefined
  /** Largest amount to pay, which is the one to approve; of `exact-out` only. Equal to `amountIn` where no contract swaps for an exact output */
  maxAmountIn?: string | undefined
  /** Token to pay */
  tokenIn: TokenReference
  /** Token to receive */
  tokenOut: TokenReference
  /** Contract that the conversion calls: approve it for `tokenIn` */
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
  /** Rate that all pools of the route charge together: with two pools `1 - (1 - fee) x (1 - fee)`, exactly */
  routeFeeRate: string
  /** Whether the markets of its prices are open in that block; absent if their hours are unknown. A closed market refuses nothing, but its prices may become stale */
  market?: MarketState | undefined
  /** Number of the block that the response is of */
  blockNumber: number
  /** Hash of that block */
  blockHash: `0x${string}`
  /** Time of that block */
  blockTimestamp: string
  /** Gas limit, with a margin; with `userAddress` only */
  gasLimit?: string | undefined
  /** Recommended maximum fee per gas, in wei */
  maxFeePerGas?: string | undefined
  /** Recommended maximum priority fee per gas, in wei */
  maxPriorityFeePerGas?: string | undefined
  /** How `gasLimit` was found: `estimate-as-if` and `call-as-if` assume sufficient balance and allowance, `estimate` uses those of the wallet, `upper-bound` is a fixed limit for nodes that cannot estimate, and for conversions that would fail now */
  gasEstimateSource?: GasEstimateSource | undefined
  /** What would make the conversion fail if the wallet sent it now; with `userAddress` only */
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
  /** What the pools add to the oracles' amount; negative where they pay less. Zero for our own pools */
  impact: string
  /** Fees of the pools */
  fee: string
  /** What rounding takes */
  rounding: string
}

/** An event with the name `quote` */
export type QuoteStreamEvent = {
  /** Cursor to continue after it: the next `Last-Event-ID` */
  id: string
  /** Name of the event */
  event: 'quote'
  /** The state of the topic, or why it fails now */
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
  /** A quote of `convert/quote` */
  topic: 'quote'
}

/** One of several conversions */
export type ReceiptConversion = {
  status: TransactionState
  /** Which amount the transaction fixed: the input, or the output; absent if that is not known */
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
  /** Where the oracles' prices are from: the `execution`, or the `quote` that the request has. `unavailable` if those of the execution are not known for certain, as when no node has the state of that block any more; the other fields that need them are then absent */
  oracleAt?: OracleMoment | undefined
  /** Value of `amountIn` at the oracles' prices, before all fees */
  oracleAmountOut?: string | undefined
  /** Where the difference between `oracleAmountOut` and `amountOut` went */
  parts?: ReceiptParts | undefined
  /** Rate that all pools of the route charge together: with two pools `1 - (1 - fee) x (1 - fee)`, exactly */
  routeFeeRate?: string | undefined
  /** `amountOut` per `amountIn` */
  executedRate?: string | undefined
  /** `oracleAmountOut` per `amountIn` */
  oracleRate?: string | undefined
  /** Loss against `oracleAmountOut` less 0.05 %; negative if more was received */
  slippage?: string | undefined
  /** Why it reverted, if it failed and a replay shows it */
  failure?: TransactionFailure | undefined
}

/** In the output token, exactly: `oracleAmountOut` + `priceMove` + `impact` - `fee` - `rounding` = `amountOut` */
export type ReceiptParts = {
  /** What the oracles' prices moved the amount from the quote to the execution; zero without a quote */
  priceMove: string
  /** What the pools added to the oracles' amount; negative where they paid less. Zero for our own pools */
  impact: string
  /** Fees of the pools */
  fee: string
  /** What rounding took */
  rounding: string
}

/** What a quote promised */
export type ReceiptQuote = {
  /** The fixed amount */
  mode: ConversionMode
  /** Amount to pay */
  amountIn: string
  /** Amount to receive */
  amountOut: string
  /** Smallest amount to receive; of `exact-in` only */
  minAmountOut?: string | undefined
  /** Largest amount to pay; of `exact-out` only */
  maxAmountIn?: string | undefined
  /** Time from which the quote was over */
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
  /** Cursor to continue after it: the next `Last-Event-ID` */
  id: string
  /** Name of the event */
  event: 'reconnect'
  data: ReconnectEvent
}

/** An approval of zero, which the token demands before another amount */
export type ResetStep = {
  /** Kind of the step */
  kind: 'reset'
  /** Why the step is needed, for the user to read */
  reason: string
  /** Transaction to sign */
  transaction: UnsignedTransaction
  /** The same transaction for `eth_sendTransaction` of a wallet */
  walletTransaction: WalletTransaction
}

/** A webhook with its new secret */
export type RotatedWebhook = {
  /** Id of the webhook */
  id: string
  /** URL of the receiver */
  url: string
  /** Types of the events that are delivered */
  events: WebhookEventType[]
  /** Time at which it was created */
  createdAt: string
  /** Time of the first failed attempt since the last success; absent if the last attempt succeeded */
  failingSince?: string | undefined
  /** Time at which it was disabled; absent for an enabled one */
  disabledAt?: string | undefined
  /** `gone`: the receiver answered 410. `failing`: no attempt succeeded for three days */
  disabledReason?: WebhookDisabledReason | undefined
  /** Secret that signs the deliveries; only this response contains it */
  secret: string
  /** Time from which the replaced secret no longer signs */
  oldSecretExpiresAt: string
}

/** A signature that pays a conversion in the place of an allowance */
export type SignedPermit = {
  kind: PermitKind
  /** Deadline that was signed, as Unix time in seconds; of `permit2` it is the expiry of the quote */
  deadline: number
  /** Signature of the typed data, hex */
  signature: `0x${string}`
  /** Amount that was signed; by default the most that the conversion may take */
  amount?: string | undefined
  /** Nonce that was signed; by default the current one, and for `permit2` that of the quote */
  nonce?: string | undefined
}

/** State of the database of keys and usage. unwritable: its disk is full or it is read-only; keys work, calls are counted in memory, and keys cannot be issued or changed. unreachable: only keys in memory work */
export type StorageState = 'ok' | 'unwritable' | 'unreachable'

/** An event as Server-Sent Events have it: its name, its id, and its data as JSON */
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
}

/** What a stream watches */
export type StreamTopics = (QuoteTopic | PricesTopic | PoolTopic | TransactionTopic | HealthTopic)[]

/** Tier of a key, which sets its limits */
export type Tier = 'standard' | 'sandbox' | 'staging' | 'production' | 'local'

/** A token */
export type TokenReference = {
  /** Address of the token */
  address: `0x${string}`
  /** Symbol of the token */
  symbol: string
  /** Fractional digits of amounts of the token */
  decimals: number
}

/** `pending`: not mined. `included`, `safe`, `finalized`: it succeeded, and how final its block is. `failed`: it reverted. `replaced`: another transaction used its nonce. `dropped`: no node has it, and its deadline has passed. `reorged`: it left the block that the cursor names */
export type TrackedState = TrackedStatus

/** Where a transaction is */
export type TrackedStatus =
  | 'pending'
  | 'included'
  | 'safe'
  | 'finalized'
  | 'failed'
  | 'replaced'
  | 'dropped'
  | 'reorged'

/** Where a transaction is, and how final */
export type TrackedTransaction = {
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  chainId: ChainId
  status: TrackedState
  /** Of a pending one: whether a node has it */
  visible?: boolean | undefined
  /** Of a pending one that no node has: whether a node has another one with its nonce pending */
  contested?: boolean | undefined
  /** Its sender */
  from?: `0x${string}` | undefined
  /** Its nonce */
  nonce?: number | undefined
  /** Number of its block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Hash of its block */
  blockHash?: `0x${string}` | undefined
  /** Time of its block */
  blockTimestamp?: string | undefined
  /** How final its block is, also of a transaction that failed */
  finality?: Finality | undefined
  /** What proves it; absent while it is `included` */
  finalityProof?: FinalityProof | undefined
  /** Why it reverted, if it failed */
  failure?: TransactionFailure | undefined
  /** What replaced it; absent if no transaction did: the code of an account may use a nonce, too */
  replacement?: TransactionReplacement | undefined
  /** Of a dropped one: the deadline of its calldata, after which it can only revert */
  deadline?: string | undefined
  /** Of a reorged one: where it was, and is */
  reorg?: TransactionReorg | undefined
  /** What the next request needs to recognise a replacement and a reorganisation: keep the newest one. Opaque; absent if the sender is unknown */
  cursor?: string | undefined
}

/** A transition of a transaction */
export type TransactionEvent = {
  /** Hash of the transaction */
  transactionHash: `0x${string}`
  chainId: ChainId
  status: TrackedState
  /** Of a pending one: whether a node has it */
  visible?: boolean | undefined
  /** Of a pending one that no node has: whether a node has another one with its nonce pending */
  contested?: boolean | undefined
  /** Its sender */
  from?: `0x${string}` | undefined
  /** Its nonce */
  nonce?: number | undefined
  /** Number of its block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Hash of its block */
  blockHash?: `0x${string}` | undefined
  /** Time of its block */
  blockTimestamp?: string | undefined
  /** How final its block is, also of a transaction that failed */
  finality?: Finality | undefined
  /** What proves it; absent while it is `included` */
  finalityProof?: FinalityProof | undefined
  /** Why it reverted, if it failed */
  failure?: TransactionFailure | undefined
  /** What replaced it; absent if no transaction did: the code of an account may use a nonce, too */
  replacement?: TransactionReplacement | undefined
  /** Of a dropped one: the deadline of its calldata, after which it can only revert */
  deadline?: string | undefined
  /** Of a reorged one: where it was, and is */
  reorg?: TransactionReorg | undefined
  /** What the next request needs to recognise a replacement and a reorganisation: keep the newest one. Opaque; absent if the sender is unknown */
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
  /** Error that the contract reverted with */
  revert: {
    /** Name of the error */
    name: string
    /** Arguments of the error */
    args: string[]
  }
}

/** How a transaction left its block */
export type TransactionReorg = {
  /** `moved` to another block, `pending` again, or `gone`: no node has it */
  outcome: 'moved' | 'pending' | 'gone'
  /** Its status now, which the next request returns */
  status: 'pending' | 'included' | 'safe' | 'finalized' | 'failed' | 'replaced' | 'dropped'
  /** Number of the block that had it */
  blockNumber: number
  /** Hash of the block that had it */
  blockHash: `0x${string}`
}

/** The transaction that used the nonce of another one */
export type TransactionReplacement = {
  /** Hash of the transaction that used the nonce */
  transactionHash: `0x${string}`
  /** `speed-up`: the same call. `same-intent`: converts the same amount of the same tokens for the same recipient, at other terms. `cancel`: an empty transfer to its sender. `other`: anything else. Absent if the replaced call is unknown */
  kind?: 'speed-up' | 'same-intent' | 'cancel' | 'other' | undefined
  /** Whether it succeeded or reverted */
  status: 'success' | 'failed'
  /** Number of its block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Hash of its block */
  blockHash?: `0x${string}` | undefined
  /** Time of its block */
  blockTimestamp?: string | undefined
  /** How final its block is, also of a transaction that failed */
  finality?: Finality | undefined
  /** What proves it; absent while it is `included` */
  finalityProof?: FinalityProof | undefined
}

/** `pending` until it is mined, then `success`, or `failed` if it reverted */
export type TransactionState = 'pending' | 'success' | 'failed'

/** The state of a transaction */
export type TransactionStatus = {
  status: TransactionState
  /** Number of its block */
  blockNumber?: number | undefined
  /** Gas used */
  gasUsed?: string | undefined
  /** Number of confirmations, its own block included */
  confirmations?: number | undefined
  /** Why it reverted, if it failed */
  failure?: TransactionFailure | undefined
}

/** A transaction to sign and send, by `kind` */
export type TransactionStep = ResetStep | ApproveStep

/** An event with the name `transaction` */
export type TransactionStreamEvent = {
  /** Cursor to continue after it: the next `Last-Event-ID` */
  id: string
  /** Name of the event */
  event: 'transaction'
  /** The state of the topic, or why it fails now */
  data: TransactionEvent | FailedTopicEvent
}

/** A transaction, to its end */
export type TransactionTopic = {
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
  /** A transaction of `transaction/track` */
  topic: 'transaction'
}

/** Typed data by EIP-712: the second parameter of `eth_signTypedData_v4`, as it is */
export type TypedData = {
  domain: TypedDataDomain
  /** Fields of each type by its name, `EIP712Domain` included */
  types: { [name: string]: TypedDataField[] }
  /** Type of the message */
  primaryType: string
  /** Message to sign; its numbers are decimal strings */
  message: { [name: string]: unknown }
}

/** The domain of typed data: exactly the fields that the contract has */
export type TypedDataDomain = {
  /** Name of the contract */
  name?: string | undefined
  /** Version of the contract */
  version?: string | undefined
  chainId?: ChainId | undefined
  /** Contract that verifies the signature */
  verifyingContract?: `0x${string}` | undefined
  /** Salt of the contract, 32 bytes; the chain id of tokens that have it here */
  salt?: `0x${string}` | undefined
}

/** A field of a type */
export type TypedDataField = {
  /** Name of the field */
  name: string
  /** Type of the field in Solidity */
  type: string
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
  /** How `gasLimit` was found: `estimate-as-if` and `call-as-if` assume sufficient balance and allowance, `estimate` uses those of the wallet, `upper-bound` is a fixed limit for nodes that cannot estimate, and for conversions that would fail now */
  gasEstimateSource: GasEstimateSource
  /** Last time at which the transaction may be mined, as Unix time in seconds */
  deadline: number
  /** What would make the conversion fail if it were sent now and alone; empty if nothing would. With a `permit` it contains no allowance that the signature brings; `calls` bring the missing allowance themselves */
  issues: Issue[]
  /** Number of the block whose prices the conversion was checked at */
  blockNumber: number
  /** Time of that block */
  blockTimestamp: string
  /** All that the wallet has to do now, as the `calls` of `wallet_sendCalls` (EIP-5792), to send with `atomicRequired`: an approval if the allowance is too low, after a reset where the token demands one, and the conversion. Absent with a `permit` */
  calls?: WalletCall[] | undefined
  /** What each of `calls` does, in the same order, with the gas that it needs once those before it have run */
  callGasLimits?: CallGasLimit[] | undefined
  /** The same transaction for `eth_sendTransaction` of a wallet */
  transaction: WalletTransaction
  /** For a quote whose input is fixed: what it pays in the newest block; absent if that is unknown */
  amountOutNow?: string | undefined
  /** For a quote whose output is fixed: what it costs in the newest block; absent if that is unknown */
  amountInNow?: string | undefined
}

/** An unsigned transaction that takes the place of a pending one */
export type UnsignedReplacement = {
  /** Receiver of the transaction */
  to: `0x${string}`
  /** Calldata, hex */
  data: `0x${string}`
  /** Native currency to send, in wei */
  value: string
  chainId: ChainId
  /** Gas limit: of a speed-up that of the pending one */
  gasLimit: string
  /** Recommended maximum fee per gas, in wei */
  maxFeePerGas: string
  /** Recommended maximum priority fee per gas, in wei */
  maxPriorityFeePerGas: string
  /** Nonce of the pending transaction */
  nonce: number
  /** Sender of the pending transaction */
  from: `0x${string}`
  /** The same for `eth_sendTransaction` of a wallet */
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

/** A transaction with its nonce, as `eth_sendTransaction` of a wallet takes it */
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

/** A transaction for a wallet, as `eth_sendTransaction` takes it; the wallet adds the nonce and signs it */
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
  /** Its last observed state; absent before any node had it */
  status?: TrackedStatus | undefined
  /** Time from which it is followed */
  createdAt: string
  /** Time from which it is no longer followed: nothing can happen to it any more, or a week has passed */
  endedAt?: string | undefined
}

/** The transactions that an API key follows */
export type WatchedTransactionList = {
  /** Followed transactions, the newest first */
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
  /** Time at which it was created */
  createdAt: string
  /** Time of the first failed attempt since the last success; absent if the last attempt succeeded */
  failingSince?: string | undefined
  /** Time at which it was disabled; absent for an enabled one */
  disabledAt?: string | undefined
  /** `gone`: the receiver answered 410. `failing`: no attempt succeeded for three days */
  disabledReason?: WebhookDisabledReason | undefined
}

/** The delivery of an event to a webhook */
export type WebhookDelivery = {
  /** `webhook-id` of the message: the same in every attempt */
  id: string
  /** Position among the deliveries, for `before` */
  position: number
  type: WebhookEventType
  /** Body of the message, as it is signed and sent */
  payload: string
  /** `pending` until it is `delivered`, or `given-up` after the last attempt or with its webhook */
  status: WebhookDeliveryState
  /** Attempts since it was created or replayed */
  attempts: number
  /** Time of the event */
  createdAt: string
  /** Time of the last attempt */
  lastAttemptAt?: string | undefined
  /** HTTP status of the last attempt; absent without a response */
  lastStatus?: number | undefined
  /** Why the last attempt failed: `status-<HTTP status>`, `redirect`, `timeout`, `address-not-public`, `name-not-found`, `tls`, `connection`, or `disabled` if its webhook was */
  lastError?: string | undefined
  /** Time from which a pending one is sent next */
  nextAttemptAt?: string | undefined
}

/** Deliveries of a webhook */
export type WebhookDeliveryList = {
  /** Deliveries, the newest first */
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
  /** Webhooks of the key, the newest first */
  webhooks: Webhook[]
}

/** What is delivered again */
export type WebhookReplay = {
  /** Number of events that are delivered again */
  replayed: number
}

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
  /** Number of the block that the response is of */
  blockNumber: number
  /** Time of that block */
  blockTimestamp: string
}

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
  | 'svc/quoting-paused'
  | 'svc/quote-invalid'
  | 'svc/quote-expired'
  | 'svc/quote-mismatch'
  | 'svc/quote-not-yours'
  | 'svc/not-a-conversion'
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
  | 'svc/invalid-transaction'
  | 'svc/wrong-chain'
  | 'svc/nonce-too-low'
  | 'svc/underpriced'
  | 'svc/pool-not-found'
  | 'svc/transaction-not-found'
  | 'svc/not-found'
  | 'svc/reverted'
  | 'svc/unauthorized'
  | 'svc/key-revoked'
  | 'svc/rate-limited'
  | 'svc/quota-exceeded'
  | 'svc/payload-too-large'
  | 'svc/unsupported-media-type'
  | 'svc/method-not-allowed'
  | 'svc/request-timeout'
  | 'svc/expectation-failed'
  | 'svc/headers-too-large'
  | 'svc/upstream-error'
  | 'svc/upstream-unavailable'
  | 'svc/upstream-timeout'
  | 'svc/storage-unavailable'
  | 'svc/internal'

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

/** How the gas of a conversion was found */
export type GasEstimateSource = 'estimate-as-if' | 'call-as-if' | 'estimate' | 'upper-bound'

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
  /** Whether the price is too old to convert at */
  stale: boolean
  /** Address of the oracle; null for the reference dollar, whose price is fixed */
  address: `0x${string}` | null
}

/** A conversion at terms that hold until `expiresAt` */
export type Quote = {
  /** The quote, for `transaction/build/convert`, `transaction/broadcast/convert` and `convert/receipt`. Letters, digits, `-`, `_` and `.`; it is valid for this API key only */
  quote: string
  /** Time from which the quote is over: when a block has it, or the clock */
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

import type { Address, ChainId, Client, Token } from '@agio/core'
import type { Hex } from 'viem'
import type { Allowance, readAllowance } from './account/readAllowance.ts'
import type { Nonces } from './account/readNonces.ts'
import type { buildApproval, BuiltApproval } from './approval/buildApproval.ts'
import type { decodeConversionCall, DecodedConversionCall } from './call/decodeConversionCall.ts'
import type { buildBatch, BuiltBatch } from './convert/buildBatch.ts'
import type { buildConvert, BuiltConvert } from './convert/buildConvert.ts'
import type { quoteConversion, Quoted } from './convert/quoteConversion.ts'
import type { QuotedExactOut, quoteExactOut } from './convert/quoteExactOut.ts'
import type { Ladder, quoteLadder } from './convert/quoteLadder.ts'
import type { Deployment } from './deployment/Deployment.ts'
import type { Faucet } from './faucet/createFaucet.ts'
import type { Fees } from './gas/readFees.ts'
import type { Heads as FollowedHeads } from './head/createHeads.ts'
import type { Head } from './head/Head.ts'
import type { NodeState } from './health/UpstreamNode.ts'
import type { PoolAmounts } from './liquidity/toPoolAmounts.ts'
import type { DepositTerms, viewDeposit } from './liquidity/viewDeposit.ts'
import type { viewWithdraw } from './liquidity/viewWithdraw.ts'
import type { TokenPermits } from './permit/createTokenPermits.ts'
import type { needsReset } from './permit/needsReset.ts'
import type { PaidSwap } from './permit/permit2.ts'
import type { ApprovalState, readApprovalState } from './permit/readApprovalState.ts'
import type { toPermitTypedData } from './permit/toPermitTypedData.ts'
import type { TypedData } from './permit/TypedData.ts'
import type { verifyPermit } from './permit/verifyPermit.ts'
import type { ConversionReceipt } from './receipt/readConversionReceipt.ts'
import type { MinedConversions } from './receipt/readConversions.ts'
import type { RouterFeatures } from './router/createRouterFeatures.ts'
import type { Snapshot } from './snapshot/Snapshot.ts'
import type { BuiltReplacement, buildReplacement } from './tracking/buildReplacement.ts'
import type { KnownTransaction, TrackedTransaction, trackTransaction } from './tracking/trackTransaction.ts'
import type { SignedTransaction } from './transaction/decodeSigned.ts'
import type { Failure } from './transaction/findFailure.ts'
import type { Receipt } from './transaction/readReceipt.ts'
import type { TransactionStatus } from './transaction/readStatus.ts'

/** Every method throws `svc/upstream-*` if no node answers, besides the errors that its comment names. */
export type Chain = {
  readonly chainId: ChainId
  readonly name: string
  readonly deployment: Deployment
  readonly faucet: Faucet | undefined
  readonly pools: Pools
  readonly conversions: Conversions
  readonly liquidity: Liquidity
  readonly approvals: Approvals
  readonly permits: Permits
  readonly transactions: Transactions
  readonly gas: Gas
  readonly heads: Heads
  readonly nodes: Nodes
  /**
   * The same chain for one client, whose waits and reads end with `svc/invalid-request` once it disconnects. Reads that it shares
   * with others go on, and so does what sends a transaction.
   */
  forClient(client: Client): Chain
  /** Ends following blocks and probing nodes. A WebSocket is closed once its pending requests are answered. */
  stop(): void
}

/** The pools of the deployment. */
type Pools = {
  /** The pools at the newest block; without a request to a node if they were read already. */
  getSnapshot(): Snapshot | Promise<Snapshot>
  /** The pools at an earlier block. */
  getSnapshotAt(block: Pick<Head, 'number' | 'hash'>): Promise<Snapshot>
  /** The tokens of the pools that were read so far, by address. */
  getTokens(): ReadonlyMap<Address, Token>
  /** The pools that cannot be read, without a request to a node. */
  listUnreadable(): readonly Address[]
  /** The pools whose own views differ from the curve that they return, and that are priced by these views, from memory. */
  listDisproven(): readonly Address[]
  /** Replaces the market hours of a feed from the next block on; undefined restores the hours of the deployment. */
  replaceSchedule(oracle: Address, schedule: string | undefined): void
}

/** Quotes and calls of conversions. */
type Conversions = {
  /** The quote for a route, at the snapshot's block, or at the newest one if that was reorganised away. @throws what `quoteConversion` throws */
  quote(snapshot: Snapshot, request: quoteConversion.Request): Quoted | Promise<Quoted>
  /** The quote for an exact output over a route, at the same block as `quote`. @throws what `quoteExactOut` throws */
  quoteExactOut(snapshot: Snapshot, request: quoteExactOut.Request): QuotedExactOut | Promise<QuotedExactOut>
  /** The quotes for many inputs over a route at one block, as `quote` makes them. @throws what `quoteLadder` throws */
  quoteLadder(snapshot: Snapshot, request: quoteLadder.Request): Ladder | Promise<Ladder>
  /** What the router can do beyond the routers of the family; without a request to a node once it is known. */
  getRouterFeatures(): Promise<RouterFeatures>
  /** An unsigned conversion by the router or a pool, with its gas, and its sender's balances. @throws what `buildConvert` throws */
  build(request: buildConvert.Request): Promise<BuiltConvert>
  /** The same without a permit, and all calls that its sender needs for it now. @throws what `buildConvert` throws */
  buildBatch(request: buildBatch.Request): Promise<BuiltBatch>
  /** A call of the router or a pool as a conversion; undefined for any other, without a request to a node. */
  decodeCall(transaction: decodeConversionCall.Transaction): DecodedConversionCall | undefined
}

/** Deposits and withdrawals of liquidity. */
type Liquidity = {
  /** The terms of a deposit into a pool. @throws what `viewDeposit` throws */
  viewDeposit(snapshot: Snapshot, request: viewDeposit.Request): Promise<DepositTerms>
  /** The amounts that a withdrawal from a pool pays. @throws what `viewWithdraw` throws */
  viewWithdraw(snapshot: Snapshot, request: viewWithdraw.Request): Promise<PoolAmounts>
}

/** Allowances of tokens. */
type Approvals = {
  /** Raw units that a spender may transfer, at the newest block. */
  readAllowance(request: readAllowance.Request): Promise<Allowance>
  /** The allowances of an owner, its nonce at the token, and its code, at the newest block. */
  readState(request: readApprovalState.Request): Promise<ApprovalState>
  /** Whether an owner has to approve zero before another amount. */
  needsReset(request: needsReset.Request): Promise<boolean>
  /** An unsigned approval with its gas. */
  build(request: buildApproval.Request): Promise<BuiltApproval>
}

/** Signatures that pay conversions. */
type Permits = {
  /** The address of Permit2, which the chain may not have: `getRouterFeatures`. */
  readonly permit2: Address
  /** What a token accepts in place of an approval; without a request to a node if it was read in the last ten minutes. */
  getTokenPermits(token: Address): Promise<TokenPermits>
  /** What an owner signs, as JSON, so that the router may spend a token by EIP-2612; without a request to a node. */
  toTypedData(request: Omit<toPermitTypedData.Request, 'spender'>): TypedData
  /** What an owner signs, as JSON, so that Permit2 pays one conversion by the router; without a request to a node. */
  toPermit2TypedData(request: { readonly swap: PaidSwap; readonly quoteDigest: Hex }): TypedData
  /** Resolves if the token or Permit2 accepts the signature that pays a conversion by the router. @throws what `verifyPermit` throws */
  verify(request: verifyPermit.Request): Promise<void>
}

/** Signed, sent and mined transactions. */
type Transactions = {
  /** A decoded transaction, without a request to a node. @throws `svc/invalid-transaction`, `svc/wrong-chain` */
  decodeSigned(serialized: Hex): Promise<SignedTransaction>
  /**
   * What is known of a signed transaction of the given hash, without a request to a node.
   *
   * @throws what `decodeSigned` throws; `svc/invalid-request` if it has another hash
   */
  readSigned(serialized: Hex, hash: Hex): Promise<KnownTransaction>
  /** Sends a signed transaction. @throws what `sendSigned` throws */
  send(signed: SignedTransaction): Promise<void>
  /** The receipt of a transaction once it is mined; undefined if it is pending after `broadcastWaitMs`. */
  waitForReceipt(hash: Hex): Promise<Receipt | undefined>
  /** The conversions of a mined transaction, with the prices that they were executed at, and its block. */
  readConversions(receipt: Receipt): Promise<MinedConversions>
  /** The conversions of a transaction, executed or failed. @throws `svc/transaction-not-found`, `svc/not-a-conversion` */
  readConversionReceipt(hash: Hex): Promise<ConversionReceipt>
  /** The reason of a failed transaction; undefined if a replay does not show it. */
  findFailure(hash: Hex, receipt: Receipt): Promise<Failure | undefined>
  /** The status of a transaction. @throws `svc/transaction-not-found` */
  readStatus(hash: Hex): Promise<TransactionStatus>
  /** Where a transaction is, and how final. @throws what `trackTransaction` throws */
  track(request: trackTransaction.Request): Promise<TrackedTransaction>
  /** A transaction that takes the place of a pending one. @throws what `buildReplacement` throws */
  buildReplacement(request: buildReplacement.Request): Promise<BuiltReplacement>
  /** The next nonce of an account, with and without its pending transactions. */
  readNonces(address: Address): Promise<Nonces>
}

/** The price of gas. */
type Gas = {
  /** The fees to offer for the gas of a transaction. */
  readFees(): Promise<Fees>
}

/** The newest block, from memory. */
type Heads = {
  /** The newest block; undefined if no node has confirmed it within `snapshotMaxAgeMs`. */
  find(): Head | undefined
  /** Resolves with true when the newest block is another one than `seen`, or after the time-out; with false once stopped. */
  next: FollowedHeads['next']
  /**
   * The newest block, when a node last confirmed it, why the last read of it failed, and since when one is unanswered. Times are
   * of the monotonic clock.
   */
  state: FollowedHeads['state']
  /** Judges the age of a block at a time of the wall clock. */
  judgeAge: FollowedHeads['judgeAge']
}

/** The nodes that serve the chain. */
type Nodes = {
  /** The state of each node, in order of preference, without a request to a node. */
  list(): readonly { readonly position: number; readonly state: NodeState }[]
  /** Closes the circuit of every node and verifies its chain id again. */
  resetCircuits(): void
}

import type { Address, Client, Network, Token } from '@agio/core'
import type { Hex } from 'viem'
import type { Allowance, readAllowance, Nonces } from './account/readAccount.ts'
import type { buildApproval, BuiltApproval, needsReset } from './approval/buildApproval.ts'
import type { decodeConversionCall, DecodedConversionCall } from './call/decodeConversionCall.ts'
import type { buildBatch, BuiltBatch } from './convert/buildBatch.ts'
import type { buildConvert, BuiltConvert } from './convert/buildConvert.ts'
import type { priceExactIn, PricedConversion } from './convert/priceExactIn.ts'
import type { PricedExactOut, priceExactOut } from './convert/priceExactOut.ts'
import type { Ladder, priceLadder } from './convert/priceLadder.ts'
import type { Deployment } from './deployment/Deployment.ts'
import type { Faucet } from './faucet/createFaucet.ts'
import type { Fees } from './gas/readFees.ts'
import type { Heads as FollowedHeads } from './head/createHeads.ts'
import type { Head } from './head/Head.ts'
import type { DoubtSubject } from './health/createDoubts.ts'
import type { NodeState } from './health/UpstreamNode.ts'
import type { PoolAmounts, viewWithdraw } from './liquidity/viewWithdraw.ts'
import type { DepositTerms, viewDeposit } from './liquidity/viewDeposit.ts'
import type { TokenPermits } from './permit/createTokenPermits.ts'
import type { SignedSwap } from './permit/permit2.ts'
import type { ApprovalState, readApprovalState } from './permit/readApprovalState.ts'
import type { toPermitTypedData } from './permit/permit.ts'
import type { TypedData } from './permit/TypedData.ts'
import type { verifyPermit } from './permit/verifyPermit.ts'
import type { ConversionReceipt } from './receipt/readConversionReceipt.ts'
import type { MinedConversions } from './receipt/readConversions.ts'
import type { RouterFeatures } from './router/createRouterFeatures.ts'
import type { FaultyFeed } from './snapshot/createPoolReader.ts'
import type { Snapshot } from './snapshot/createSnapshots.ts'
import type { BuiltReplacement, buildReplacement } from './tracking/buildReplacement.ts'
import type { MinedBlocks } from './tracking/createMinedBlocks.ts'
import type { TransactionFacts } from './tracking/TransactionFacts.ts'
import type { TrackedTransaction, trackTransaction } from './tracking/trackTransaction.ts'
import type { SignedTransaction } from './transaction/decodeSigned.ts'
import type { Failure } from './transaction/findFailure.ts'
import type { Receipt } from './transaction/readReceipt.ts'
import type { TransactionStatus } from './transaction/readStatus.ts'

/** Every method throws `svc/upstream-*` if no node answers, in addition to the errors that its comment names. */
export type Chain = {
  readonly chainId: Network.ChainId
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
   * Returns, from memory, why the chain is refused: a contract does not have the code of the deployment file. Every method
   * that needs a node throws `svc/upstream-error` then. Undefined if the chain is not refused.
   */
  findRefusal(): string | undefined
  /**
   * Returns the same chain for one client. Once the client disconnects, its waits and reads throw `svc/invalid-request`.
   * Reads that it shares with other clients continue, and its transactions are still sent.
   */
  forClient(client: Client.Client): Chain
  /** Forgets what was read of tokens, since a local chain that returns to a snapshot may have other tokens. */
  forgetTokens(): void
  /** Stops following blocks and probing nodes. A WebSocket is closed once its pending requests are settled. */
  stop(): void
}

/** The pools of the deployment. */
type Pools = {
  /** Returns the pools at the newest block. Sends no request to a node if the pools were read before. */
  getSnapshot(): Snapshot | Promise<Snapshot>
  /** Returns the pools at an earlier block. */
  getSnapshotAt(block: Pick<Head, 'number' | 'hash'>): Promise<Snapshot>
  /** Returns the tokens of all pools that were read so far, by address. */
  getTokens(): ReadonlyMap<Address, Token>
  /** Returns, from memory, the pools that cannot be read. */
  listUnreadable(): readonly Address[]
  /** Returns, from memory, the pools whose views differ from the curve that the pools return. Their views price them. */
  listDisproven(): readonly Address[]
  /** Returns, from memory, the feeds with a fault other than an old price, by the pools at the newest block that was read. */
  listFaultyFeeds(): readonly FaultyFeed[]
  /** Replaces the market hours of a feed from the next block on. Undefined restores the hours of the deployment. */
  replaceSchedule(oracle: Address, schedule: string | undefined): void
}

/** Prices and calls of conversions. */
type Conversions = {
  /**
   * Prices an exact input over a route at the snapshot's block, or at the newest block after a reorganisation.
   *
   * @throws the errors of `priceExactIn`
   */
  priceExactIn(snapshot: Snapshot, options: priceExactIn.Options): PricedConversion | Promise<PricedConversion>
  /** Prices an exact output over a route, at the same block as `priceExactIn`. @throws the errors of `PoolMath.priceExactOut` */
  priceExactOut(snapshot: Snapshot, options: priceExactOut.Options): PricedExactOut | Promise<PricedExactOut>
  /** Prices many inputs over a route at one block, as `priceExactIn` does. @throws the errors of `priceLadder` */
  priceLadder(snapshot: Snapshot, options: priceLadder.Options): Ladder | Promise<Ladder>
  /**
   * Returns the features of the router that the routers of the family do not have. Sends no request to a node once the
   * features are known.
   */
  getRouterFeatures(): Promise<RouterFeatures>
  /**
   * Builds an unsigned conversion by the router or a pool, with its gas and its sender's balances.
   *
   * @throws the errors of `buildConvert`
   */
  build(options: buildConvert.Options): Promise<BuiltConvert>
  /**
   * Builds a conversion without a permit, and all calls that its sender needs for the conversion now.
   *
   * @throws the errors of `buildConvert`
   */
  buildBatch(options: buildBatch.Options): Promise<BuiltBatch>
  /**
   * Decodes a call of the router or a pool as a conversion, without a request to a node; undefined for any other call.
   */
  decodeCall(transaction: decodeConversionCall.Transaction): DecodedConversionCall | undefined
}

/** Deposits and withdrawals of liquidity. */
type Liquidity = {
  /** Returns the terms of a deposit into a pool. @throws the errors of `viewDeposit` */
  viewDeposit(snapshot: Snapshot, options: viewDeposit.Options): Promise<DepositTerms>
  /** Returns the amounts that a withdrawal from a pool pays. @throws the errors of `viewWithdraw` */
  viewWithdraw(snapshot: Snapshot, options: viewWithdraw.Options): Promise<PoolAmounts>
}

/** Allowances of tokens. */
type Approvals = {
  /** Reads the raw units that a spender may transfer, at the newest block. */
  readAllowance(options: readAllowance.Options): Promise<Allowance>
  /** Reads the allowances of an owner, its nonce at the token, and its code, at the newest block. */
  readState(options: readApprovalState.Options): Promise<ApprovalState>
  /** Returns whether an owner must approve zero before another amount. */
  needsReset(options: needsReset.Options): Promise<boolean>
  /** Builds an unsigned approval with its gas. */
  build(options: buildApproval.Options): Promise<BuiltApproval>
}

/** Signatures that pay conversions. */
type Permits = {
  /** The address of Permit2. `getRouterFeatures` says whether the chain has Permit2. */
  readonly permit2: Address
  /**
   * Returns the permits that a token accepts instead of an approval. Sends no request to a node if they were read in the
   * last ten minutes.
   */
  getTokenPermits(token: Address): Promise<TokenPermits>
  /**
   * Returns the data that an owner signs so that the router may spend a token by EIP-2612, without a request to a node.
   */
  toTypedData(request: Omit<toPermitTypedData.Options, 'spender'>): TypedData
  /**
   * Returns the data that an owner signs so that Permit2 pays one conversion by the router, without a request to a
   * node.
   */
  toPermit2TypedData(request: { readonly swap: SignedSwap; readonly quoteDigest: Hex }): TypedData
  /**
   * Verifies that the token or Permit2 accepts the signature that pays a conversion by the router.
   *
   * @throws the errors of `verifyPermit`
   */
  verify(options: verifyPermit.Options): Promise<void>
}

/** Signed, sent and mined transactions. */
type Transactions = {
  /** Decodes a signed transaction, without a request to a node. @throws `svc/invalid-transaction`, `svc/wrong-chain` */
  decodeSigned(serialized: Hex): Promise<SignedTransaction>
  /**
   * Returns the facts that a signed transaction with the given hash contains, without a request to a node.
   *
   * @throws the errors of `decodeSigned`; `svc/invalid-request` if it has another hash
   */
  readSigned(serialized: Hex, hash: Hex): Promise<TransactionFacts>
  /** Sends a signed transaction. @throws the errors of `sendSigned` */
  send(signed: SignedTransaction): Promise<void>
  /**
   * Returns the receipt of a transaction that was sent, once it is mined; undefined if it is pending after
   * `broadcastWaitMs`, or when the chain stops. After a wait of at least five seconds, a pending transaction is sent once
   * more, to another node.
   *
   * @throws `svc/nonce-too-low` if another transaction has used its nonce
   */
  waitForReceipt(signed: SignedTransaction): Promise<Receipt | undefined>
  /** Reads the conversions of a mined transaction, the prices of their execution, and the transaction's block. */
  readConversions(receipt: Receipt): Promise<MinedConversions>
  /**
   * Reads the conversions of a transaction, executed or failed.
   *
   * @throws `svc/transaction-not-found`, `svc/not-a-conversion`
   */
  readConversionReceipt(hash: Hex): Promise<ConversionReceipt>
  /** Finds the reason of a failed transaction; undefined if a replay does not show it. */
  findFailure(hash: Hex, receipt: Receipt): Promise<Failure | undefined>
  /** Reads the status of a transaction. @throws `svc/transaction-not-found` */
  readStatus(hash: Hex): Promise<TransactionStatus>
  /** Returns the state of a transaction and its finality. @throws the errors of `trackTransaction` */
  track(options: trackTransaction.Options): Promise<TrackedTransaction>
  /** Compares a transaction with the blocks after a block. Each block is read once for all transactions. */
  findNews: MinedBlocks['findNews']
  /** Lists the transactions of the blocks after a block; undefined if the blocks since then are unknown. */
  listMined: MinedBlocks['listHashes']
  /** Builds a transaction that replaces a pending transaction. @throws the errors of `buildReplacement` */
  buildReplacement(options: buildReplacement.Options): Promise<BuiltReplacement>
  /** Reads the next nonce of an account, with and without its pending transactions. */
  readNonces(address: Address): Promise<Nonces>
}

/** The price of gas. */
type Gas = {
  /** Returns the fees to offer for the gas of a transaction. */
  readFees(): Promise<Fees>
}

/** The newest block, from memory. */
type Heads = {
  /** Returns the newest block; undefined if no node has confirmed it within `snapshotMaxAgeMs`. */
  find(): Head | undefined
  /**
   * Resolves with true when the newest block differs from `seen`, or after the time-out. Resolves with false once
   * stopped.
   */
  next: FollowedHeads['next']
  /**
   * Returns the newest block, the time of its last confirmation by a node, the error of the last read, and the time since
   * which a read is pending. Times are readings of the monotonic clock.
   */
  state: FollowedHeads['state']
  /** Judges the age of a block at a time of the wall clock. */
  judgeAge: FollowedHeads['judgeAge']
}

/** The nodes that serve the chain. */
type Nodes = {
  /** Returns the state of each node, in order of preference, from memory. */
  list(): readonly { readonly position: number; readonly state: NodeState }[]
  /** Returns the number of doubtful answers about a subject since the start, from memory. */
  countDoubts(subject: DoubtSubject): number
  /**
   * Returns, from memory, whether nodes have disagreed about a final receipt or the state of the pools in the last ten
   * minutes.
   */
  isSuspect(): boolean
  /**
   * Returns, from memory, whether no second node confirms the newest block that was compared, although the chain has several
   * nodes.
   */
  isUnconfirmed(): boolean
  /** Asserts that quotes may be given although nodes disagree. @throws `svc/upstream-unavailable` */
  assertAgreed(): void
  /** Closes the circuit of every node and verifies its chain id again. */
  resetCircuits(): void
}

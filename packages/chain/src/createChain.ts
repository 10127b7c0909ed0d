import { chainNames, type Address, type ChainId, type Token } from '@agio/core'
import type { Hex } from 'viem'
import { readAllowance, type Allowance } from './account/readAllowance.ts'
import { readNonces, type Nonces } from './account/readNonces.ts'
import { buildApproval, type BuiltApproval } from './approval/buildApproval.ts'
import { decodeConversionCall, type DecodedConversionCall } from './call/decodeConversionCall.ts'
import { buildBatch, type BuiltBatch } from './convert/buildBatch.ts'
import { buildConvert, type BuiltConvert } from './convert/buildConvert.ts'
import { quoteConversion, type Quoted } from './convert/quoteConversion.ts'
import { quoteLadder, type Ladder } from './convert/quoteLadder.ts'
import { quoteExactOut, type QuotedExactOut } from './convert/quoteExactOut.ts'
import type { Deployment } from './deployment/Deployment.ts'
import { createFaucet, type Faucet } from './faucet/createFaucet.ts'
import { createGasEstimator } from './gas/createGasEstimator.ts'
import { readFees, type Fees } from './gas/readFees.ts'
import { createHeads, type Heads } from './head/createHeads.ts'
import type { Head } from './head/Head.ts'
import { subscribeHeads } from './selection/subscribeHeads.ts'
import type { PoolAmounts } from './liquidity/toPoolAmounts.ts'
import { viewDeposit, type DepositTerms } from './liquidity/viewDeposit.ts'
import { viewWithdraw } from './liquidity/viewWithdraw.ts'
import { createReader } from './reader/createReader.ts'
import { createReaderCalls } from './reader/createReaderCalls.ts'
import { createRouterFeatures, type RouterFeatures } from './router/createRouterFeatures.ts'
import { createLagDetector } from './selection/createLagDetector.ts'
import { createRpc } from './selection/createRpc.ts'
import type { NodeReport, NodeState } from './health/UpstreamNode.ts'
import { readConversionReceipt, type ConversionReceipt } from './receipt/readConversionReceipt.ts'
import { readConversions, type MinedConversions } from './receipt/readConversions.ts'
import { createTokenPermits, type TokenPermits } from './permit/createTokenPermits.ts'
import { needsReset } from './permit/needsReset.ts'
import { permit2Address, toPermit2TypedData, type PaidSwap } from './permit/permit2.ts'
import { readApprovalState, type ApprovalState } from './permit/readApprovalState.ts'
import { toPermitTypedData } from './permit/toPermitTypedData.ts'
import type { TypedData } from './permit/TypedData.ts'
import { verifyPermit } from './permit/verifyPermit.ts'
import { createPoolReader } from './snapshot/createPoolReader.ts'
import type { PoolReport } from './snapshot/createUnreadablePools.ts'
import { createSnapshots } from './snapshot/createSnapshots.ts'
import type { Snapshot } from './snapshot/Snapshot.ts'
import { decodeSigned, type SignedTransaction } from './transaction/decodeSigned.ts'
import { findFailure, type Failure } from './transaction/findFailure.ts'
import type { Receipt } from './transaction/readReceipt.ts'
import { readStatus, type TransactionStatus } from './transaction/readStatus.ts'
import { sendSigned } from './transaction/sendSigned.ts'
import { waitForReceipt } from './transaction/waitForReceipt.ts'
import { buildReplacement, type BuiltReplacement } from './tracking/buildReplacement.ts'
import { createFinality } from './tracking/createFinality.ts'
import {
  toKnownTransaction,
  trackTransaction,
  type KnownTransaction,
  type TrackedTransaction,
} from './tracking/trackTransaction.ts'

/**
 * Connects to an EVM chain with our deployment, and returns every read and write that the procedures need.
 *
 * @example
 * const chain = createChain({ deployment, urls: ['http://127.0.0.1:8545'] })
 * const { block, pools } = await chain.getSnapshot()
 */
export function createChain(settings: createChain.Settings): Chain {
  const { deployment } = settings
  const { chainId } = deployment
  const { rpc, heads, reader, poolReader, snapshots } = connect(settings)
  const estimator = createGasEstimator(rpc)
  const { router, referenceToken: quoteToken } = deployment
  const tokenPermits = createTokenPermits({ rpc, reader, chainId, router })
  const finality = createFinality(rpc, { chainId, now: () => performance.now() })
  return {
    chainId,
    name: chainNames[chainId],
    deployment,
    permit2: permit2Address,
    faucet: deployment.faucet && createFaucet({ rpc, reader, address: deployment.faucet }),
    getTokens: () => snapshots.tokens,
    getSnapshot: snapshots.get,
    getSnapshotAt: snapshots.getAt,
    quote: (snapshot, request) => quoteConversion({ reader, snapshots }, snapshot, request),
    quoteExactOut: (snapshot, request) => quoteExactOut({ reader, snapshots }, snapshot, request),
    quoteLadder: (snapshot, request) => quoteLadder({ reader, snapshots }, snapshot, request),
    viewDeposit: (snapshot, request) => viewDeposit({ reader, rpc }, snapshot, request),
    viewWithdraw: (snapshot, request) => viewWithdraw(reader, snapshot, request),
    getRouterFeatures: createRouterFeatures({ reader, router: deployment.router, chainId }),
    getTokenPermits: tokenPermits.get,
    readApprovalState: (request) => readApprovalState({ rpc, reader }, request),
    needsReset: (request) => needsReset(rpc, request),
    toPermitTypedData: (request) => toPermitTypedData({ ...request, spender: router }),
    toPermit2TypedData: ({ swap, quoteDigest }) =>
      toPermit2TypedData({ chainId, router, swap: { ...swap, quoteToken }, quoteDigest }),
    verifyPermit: (request) => verifyPermit({ rpc, reader, tokenPermits, chainId, router, quoteToken }, request),
    buildConvert: (request) => buildConvert({ rpc, reader, deployment, estimator }, request),
    buildBatch: (request) => buildBatch({ rpc, reader, deployment, estimator }, request),
    decodeConversionCall: (transaction) => decodeConversionCall(transaction, deployment),
    buildApproval: (request) => buildApproval(rpc, request),
    readAllowance: (request) => readAllowance(reader, request),
    readFees: () => readFees(rpc),
    decodeSigned: (serialized) => decodeSigned(serialized, chainId),
    send: (signed) =>
      sendSigned(rpc, signed, { tokens: snapshots.tokens, blockSeconds: heads.state().head?.timestampSeconds }),
    waitForReceipt: (hash) => waitForReceipt(rpc, hash, { heads, timeoutMs: settings.broadcastWaitMs ?? 15_000 }),
    readConversions: (receipt) => readConversions({ rpc, snapshots, deployment }, receipt),
    readConversionReceipt: (hash) => readConversionReceipt({ rpc, reader, snapshots, deployment }, hash),
    findFailure: (hash, { blockHash }) => findFailure(rpc, { hash, blockHash, tokens: snapshots.tokens }),
    readStatus: (hash) => readStatus(rpc, hash),
    readSigned: async (serialized, hash) =>
      toKnownTransaction(await decodeSigned(serialized, chainId), { hash, deployment }),
    track: (request) => trackTransaction({ rpc, finality, deployment, findHead: heads.findFresh }, request),
    buildReplacement: (request) => buildReplacement(rpc, request),
    readNonces: (address) => readNonces(rpc, address),
    findHead: heads.findFresh,
    nextHead: heads.next,
    headState: heads.state,
    judgeAge: heads.judgeAge,
    listUnreadablePools: poolReader.listUnreadable,
    listDisprovenPools: poolReader.listDisproven,
    listNodes: () => rpc.nodes.map(({ position, state }) => ({ position, state: state() })),
    replaceSchedule: poolReader.replaceSchedule,
    resetCircuits() {
      for (const node of rpc.nodes) node.resetCircuit()
    },
    stop() {
      heads.stop()
      poolReader.stop()
      for (const node of rpc.nodes) node.stop()
    },
  }
}

export declare namespace createChain {
  type Settings = {
    readonly deployment: Deployment
    /** Upstream nodes, in order of preference: by HTTP, or by WebSocket. */
    readonly urls: readonly string[]
    /** The `fetch` for JSON-RPC over HTTP; the runtime's own by default. */
    readonly fetch?: typeof globalThis.fetch | undefined
    /** Opens the WebSockets for JSON-RPC; the runtime's own by default. */
    readonly openSocket?: ((url: string) => WebSocket) | undefined
    /** How long `waitForReceipt` waits; 15,000 by default. */
    readonly broadcastWaitMs?: number | undefined
    /** Maximum age of the last confirmed block; 10,000 by default. */
    readonly snapshotMaxAgeMs?: number | undefined
    /** The age of the newest block above which it is old; 300,000 by default. */
    readonly maxBlockAgeMs?: number | undefined
    /** Called after each change of a node's state. */
    readonly onNode?: ((report: NodeReport) => void) | undefined
    /** Called when a pool of the deployment becomes unreadable or readable. */
    readonly onPool?: ((report: PoolReport) => void) | undefined
    /** Called once if the deployed reader is one whose results do not prove their chain. */
    readonly onLacksProof?: (() => void) | undefined
  }
}

/** Every method throws `svc/upstream-*` if no node answers, besides the errors that its comment names. */
export type Chain = {
  readonly chainId: ChainId
  readonly name: string
  readonly deployment: Deployment
  /** The address of Permit2, which the chain may not have: `getRouterFeatures`. */
  readonly permit2: Address
  readonly faucet: Faucet | undefined
  /** The tokens of the pools that were read so far, by address. */
  getTokens(): ReadonlyMap<Address, Token>
  /** The pools at the newest block; without a request to a node if they were read already. */
  getSnapshot(): Snapshot | Promise<Snapshot>
  /** The pools at an earlier block. */
  getSnapshotAt(block: Pick<Head, 'number' | 'hash'>): Promise<Snapshot>
  /** The quote for a route, at the snapshot's block, or at the newest one if that was reorganised away. @throws what `quoteConversion` throws */
  quote(snapshot: Snapshot, request: quoteConversion.Request): Quoted | Promise<Quoted>
  /** The quote for an exact output over a route, at the same block as `quote`. @throws what `quoteExactOut` throws */
  quoteExactOut(snapshot: Snapshot, request: quoteExactOut.Request): QuotedExactOut | Promise<QuotedExactOut>
  /** The quotes for many inputs over a route at one block, as `quote` makes them. @throws what `quoteLadder` throws */
  quoteLadder(snapshot: Snapshot, request: quoteLadder.Request): Ladder | Promise<Ladder>
  /** The terms of a deposit into a pool. @throws what `viewDeposit` throws */
  viewDeposit(snapshot: Snapshot, request: viewDeposit.Request): Promise<DepositTerms>
  /** The amounts that a withdrawal from a pool pays. @throws what `viewWithdraw` throws */
  viewWithdraw(snapshot: Snapshot, request: viewWithdraw.Request): Promise<PoolAmounts>
  /** What the router can do beyond those of the family; without a request to a node once it is known. */
  getRouterFeatures(): Promise<RouterFeatures>
  /** What a token accepts in place of an approval; without a request to a node if it was read in the last ten minutes. */
  getTokenPermits(token: Address): Promise<TokenPermits>
  /** The allowances of an owner, its nonce at the token, and its code, at the newest block. */
  readApprovalState(request: readApprovalState.Request): Promise<ApprovalState>
  /** Whether an owner has to approve zero before another amount. */
  needsReset(request: needsReset.Request): Promise<boolean>
  /** What an owner signs, as JSON, so that the router may spend a token by EIP-2612; without a request to a node. */
  toPermitTypedData(request: Omit<toPermitTypedData.Request, 'spender'>): TypedData
  /** What an owner signs, as JSON, so that Permit2 pays one conversion by the router; without a request to a node. */
  toPermit2TypedData(request: { readonly swap: PaidSwap; readonly quoteDigest: Hex }): TypedData
  /** Resolves if the token or Permit2 accepts the signature that pays a conversion by the router. @throws what `verifyPermit` throws */
  verifyPermit(request: verifyPermit.Request): Promise<void>
  /** An unsigned conversion by the router or a pool, with its gas, and its sender's balances. @throws what `buildConvert` throws */
  buildConvert(request: buildConvert.Request): Promise<BuiltConvert>
  /** The same without a permit, and all calls that its sender needs for it now. @throws what `buildConvert` throws */
  buildBatch(request: buildBatch.Request): Promise<BuiltBatch>
  /** A call of the router or a pool as a conversion; undefined for any other, without a request to a node. */
  decodeConversionCall(transaction: decodeConversionCall.Transaction): DecodedConversionCall | undefined
  /** An unsigned approval with its gas. */
  buildApproval(request: buildApproval.Request): Promise<BuiltApproval>
  /** Raw units that a spender may transfer, at the newest block. */
  readAllowance(request: readAllowance.Request): Promise<Allowance>
  /** The fees to offer for the gas of a transaction. */
  readFees(): Promise<Fees>
  /** A decoded transaction, without a request to a node. @throws `svc/invalid-transaction`, `svc/wrong-chain` */
  decodeSigned(serialized: Hex): Promise<SignedTransaction>
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
  /**
   * What is known of a signed transaction of the given hash, without a request to a node.
   *
   * @throws what `decodeSigned` throws; `svc/invalid-request` if it has another hash
   */
  readSigned(serialized: Hex, hash: Hex): Promise<KnownTransaction>
  /** Where a transaction is, and how final. @throws what `trackTransaction` throws */
  track(request: trackTransaction.Request): Promise<TrackedTransaction>
  /** A transaction that takes the place of a pending one. @throws what `buildReplacement` throws */
  buildReplacement(request: buildReplacement.Request): Promise<BuiltReplacement>
  /** The next nonce of an account, with and without its pending transactions. */
  readNonces(address: Address): Promise<Nonces>
  /** The newest block, from memory; undefined if no node has confirmed it within `snapshotMaxAgeMs`. */
  findHead(): Head | undefined
  /** Resolves with true when the newest block is another one than `seen`, or after the time-out; with false once stopped. */
  nextHead: Heads['next']
  /**
   * The newest block, when a node last confirmed it, why the last read of it failed, and since when one is unanswered; from
   * memory, without a request to a node. Times are of the monotonic clock.
   */
  headState: Heads['state']
  /** Judges the age of a block at a time of the wall clock, from memory. */
  judgeAge: Heads['judgeAge']
  /** The pools of the deployment that cannot be read, without a request to a node. */
  listUnreadablePools(): readonly Address[]
  /** The pools whose own views differ from the curve that they return, and that are priced by these views, from memory. */
  listDisprovenPools(): readonly Address[]
  /** The state of each node, in order of preference, without a request to a node. */
  listNodes(): readonly { readonly position: number; readonly state: NodeState }[]
  /** Replaces the market hours of a feed from the next block on; undefined restores those of the deployment. */
  replaceSchedule(oracle: Address, schedule: string | undefined): void
  /** Closes the circuit of every node and verifies its chain id again. */
  resetCircuits(): void
  /** Ends following blocks and probing nodes. A WebSocket is closed once its pending requests are answered. */
  stop(): void
}

/** Connects to the nodes, and follows the heads and the pools. */
function connect({ deployment, urls, fetch, openSocket, ...settings }: createChain.Settings) {
  const { chainId } = deployment
  const readerCalls = createReaderCalls({ deployed: deployment.reader, onLacksProof: settings.onLacksProof })
  const rpc = createRpc({
    chainId,
    urls,
    fetch,
    openSocket,
    findHead: () => heads.state().head,
    isDoubtful: (head) => heads.isDoubtful(head),
    createProbe: readerCalls.createProbe,
    onState(report) {
      // After a failed read, the newest block is read as soon as a node recovers. The known one may be of the other chain.
      const isRecovered = report.state === 'healthy' && heads.state().error
      if (isRecovered || report.state === 'wrong-chain') heads.refresh().catch(() => {})
      settings.onNode?.(report)
    },
  })
  const heads = createHeads({
    read: rpc.readHead,
    subscribe:
      rpc.sockets.length === 0 ? undefined : (onNotice) => subscribeHeads(rpc.listPreferredSockets(), onNotice),
    prefetch: (head, published) => snapshots.prefetch(head, published),
    maxAgeMs: settings.snapshotMaxAgeMs ?? 10_000,
    maxBlockAgeMs: settings.maxBlockAgeMs,
    onAnswer: (head) => lagDetector.observe(head),
  })
  const lagDetector = createLagDetector({
    nodes: rpc.nodes,
    isOld: (head) => heads.judgeAge(head, Date.now()) !== 'recent',
    onLag: () => void heads.refresh().catch(() => {}),
  })
  const reader = createReader(rpc, readerCalls)
  const poolReader = createPoolReader({
    addresses: deployment.pools,
    feeds: deployment.feeds,
    reader,
    onPool: settings.onPool,
  })
  const snapshots = createSnapshots({ poolReader, heads })
  return { rpc, heads, reader, poolReader, snapshots }
}

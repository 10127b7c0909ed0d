import { chainNames } from '@agio/core'
import { readAllowance } from './account/readAllowance.ts'
import { readNonces } from './account/readNonces.ts'
import { buildApproval } from './approval/buildApproval.ts'
import { decodeConversionCall } from './call/decodeConversionCall.ts'
import { buildBatch } from './convert/buildBatch.ts'
import { buildConvert } from './convert/buildConvert.ts'
import { quoteConversion } from './convert/quoteConversion.ts'
import { quoteLadder } from './convert/quoteLadder.ts'
import { quoteExactOut } from './convert/quoteExactOut.ts'
import type { Chain } from './Chain.ts'
import type { Deployment } from './deployment/Deployment.ts'
import { createFaucet } from './faucet/createFaucet.ts'
import { createGasEstimator } from './gas/createGasEstimator.ts'
import { readFees } from './gas/readFees.ts'
import { createHeads } from './head/createHeads.ts'
import { subscribeHeads } from './selection/subscribeHeads.ts'
import { viewDeposit } from './liquidity/viewDeposit.ts'
import { viewWithdraw } from './liquidity/viewWithdraw.ts'
import { createReader } from './reader/createReader.ts'
import { createReaderCalls } from './reader/createReaderCalls.ts'
import { createRouterFeatures } from './router/createRouterFeatures.ts'
import { createLagDetector } from './selection/createLagDetector.ts'
import { createRpc } from './selection/createRpc.ts'
import type { NodeReport } from './health/UpstreamNode.ts'
import { readConversionReceipt } from './receipt/readConversionReceipt.ts'
import { readConversions } from './receipt/readConversions.ts'
import { createTokenPermits } from './permit/createTokenPermits.ts'
import { needsReset } from './permit/needsReset.ts'
import { permit2Address, toPermit2TypedData } from './permit/permit2.ts'
import { readApprovalState } from './permit/readApprovalState.ts'
import { toPermitTypedData } from './permit/toPermitTypedData.ts'
import { verifyPermit } from './permit/verifyPermit.ts'
import { createPoolReader } from './snapshot/createPoolReader.ts'
import type { PoolReport } from './snapshot/createUnreadablePools.ts'
import { createSnapshots } from './snapshot/createSnapshots.ts'
import { decodeSigned } from './transaction/decodeSigned.ts'
import { findFailure } from './transaction/findFailure.ts'
import { readStatus } from './transaction/readStatus.ts'
import { sendSigned } from './transaction/sendSigned.ts'
import { waitForReceipt } from './transaction/waitForReceipt.ts'
import { buildReplacement } from './tracking/buildReplacement.ts'
import { createFinality } from './tracking/createFinality.ts'
import { toKnownTransaction, trackTransaction } from './tracking/trackTransaction.ts'

/**
 * Connects to an EVM chain with our deployment, and returns every read and write that the procedures need.
 *
 * @example
 * const chain = createChain({ deployment, urls: ['http://127.0.0.1:8545'] })
 * const { block, pools } = await chain.pools.getSnapshot()
 */
export function createChain(settings: createChain.Settings): Chain {
  const { deployment } = settings
  const { chainId } = deployment
  const { rpc, heads, reader, poolReader, snapshots } = connect(settings)
  const estimator = createGasEstimator(rpc)
  const { router, referenceToken: quoteToken } = deployment
  const tokenPermits = createTokenPermits({ rpc, reader, chainId, router })
  const finality = createFinality(rpc, { chainId, now: () => performance.now() })
  const broadcastWaitMs = settings.broadcastWaitMs ?? 15_000
  return {
    chainId,
    name: chainNames[chainId],
    deployment,
    faucet: deployment.faucet && createFaucet({ rpc, reader, address: deployment.faucet }),
    pools: {
      getSnapshot: snapshots.get,
      getSnapshotAt: snapshots.getAt,
      getTokens: () => snapshots.tokens,
      listUnreadable: poolReader.listUnreadable,
      listDisproven: poolReader.listDisproven,
      replaceSchedule: poolReader.replaceSchedule,
    },
    conversions: {
      quote: (snapshot, request) => quoteConversion({ reader, snapshots }, snapshot, request),
      quoteExactOut: (snapshot, request) => quoteExactOut({ reader, snapshots }, snapshot, request),
      quoteLadder: (snapshot, request) => quoteLadder({ reader, snapshots }, snapshot, request),
      getRouterFeatures: createRouterFeatures({ reader, router, chainId }),
      build: (request) => buildConvert({ rpc, reader, deployment, estimator }, request),
      buildBatch: (request) => buildBatch({ rpc, reader, deployment, estimator }, request),
      decodeCall: (transaction) => decodeConversionCall(transaction, deployment),
    },
    liquidity: {
      viewDeposit: (snapshot, request) => viewDeposit({ reader, rpc }, snapshot, request),
      viewWithdraw: (snapshot, request) => viewWithdraw(reader, snapshot, request),
    },
    approvals: {
      readAllowance: (request) => readAllowance(reader, request),
      readState: (request) => readApprovalState({ rpc, reader }, request),
      needsReset: (request) => needsReset(rpc, request),
      build: (request) => buildApproval(rpc, request),
    },
    permits: {
      permit2: permit2Address,
      getTokenPermits: tokenPermits.get,
      toTypedData: (request) => toPermitTypedData({ ...request, spender: router }),
      toPermit2TypedData: ({ swap, quoteDigest }) =>
        toPermit2TypedData({ chainId, router, swap: { ...swap, quoteToken }, quoteDigest }),
      verify: (request) => verifyPermit({ rpc, reader, tokenPermits, chainId, router, quoteToken }, request),
    },
    transactions: {
      decodeSigned: (serialized) => decodeSigned(serialized, chainId),
      readSigned: async (serialized, hash) =>
        toKnownTransaction(await decodeSigned(serialized, chainId), { hash, deployment }),
      send: (signed) =>
        sendSigned(rpc, signed, { tokens: snapshots.tokens, blockSeconds: heads.state().head?.timestampSeconds }),
      waitForReceipt: (hash) => waitForReceipt(rpc, hash, { heads, timeoutMs: broadcastWaitMs }),
      readConversions: (receipt) => readConversions({ rpc, snapshots, deployment }, receipt),
      readConversionReceipt: (hash) => readConversionReceipt({ rpc, reader, snapshots, deployment }, hash),
      findFailure: (hash, { blockHash }) => findFailure(rpc, { hash, blockHash, tokens: snapshots.tokens }),
      readStatus: (hash) => readStatus(rpc, hash),
      track: (request) => trackTransaction({ rpc, finality, deployment, findHead: heads.findFresh }, request),
      buildReplacement: (request) => buildReplacement(rpc, request),
      readNonces: (address) => readNonces(rpc, address),
    },
    gas: { readFees: () => readFees(rpc) },
    heads: { find: heads.findFresh, next: heads.next, state: heads.state, judgeAge: heads.judgeAge },
    nodes: {
      list: () => rpc.nodes.map(({ position, state }) => ({ position, state: state() })),
      resetCircuits() {
        for (const node of rpc.nodes) node.resetCircuit()
      },
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

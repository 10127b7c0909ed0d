import { Client } from '@agio/core'
import { createCodeVerifier, type CodeVerifier } from './health/createCodeVerifier.ts'
import type { Deployment } from './deployment/Deployment.ts'
import { createFaucetTerms } from './faucet/createFaucet.ts'
import { createFeeCeilings } from './gas/createFeeCeilings.ts'
import { createGasEstimator, type GasEstimator } from './gas/createGasEstimator.ts'
import { createDoubts } from './health/createDoubts.ts'
import type { NodeReport } from './health/UpstreamNode.ts'
import { createHeads } from './head/createHeads.ts'
import type { Head } from './head/Head.ts'
import { createTokenPermits } from './permit/createTokenPermits.ts'
import { createFactReader } from './reader/createFactReader.ts'
import { createNodeReader, createReader } from './reader/createReader.ts'
import { createReaderCalls, type ReaderCalls } from './reader/createReaderCalls.ts'
import { createRouterFeatures } from './router/createRouterFeatures.ts'
import { createAgreement } from './selection/createAgreement.ts'
import { createLagDetector } from './selection/createLagDetector.ts'
import { selectNodes } from './selection/createFailover.ts'
import { createRpc, type Rpc } from './selection/createRpc.ts'
import { createSubscribe } from './selection/createSubscribe.ts'
import { createPoolReader, type PoolReader } from './snapshot/createPoolReader.ts'
import { createSnapshots, type Snapshots } from './snapshot/createSnapshots.ts'
import { createSampling, createStateComparison } from './snapshot/createStateComparison.ts'
import { createFinality } from './tracking/createFinality.ts'
import { createMinedBlocks } from './tracking/createMinedBlocks.ts'
import { createWitnesses } from './tracking/createWitnesses.ts'

/** Connects to the nodes, and follows the heads and the pools. */
export function connectChain({ deployment, urls, ...options }: connectChain.Options) {
  const { chainId, router, pools, feeds } = deployment
  const { now = () => Date.now(), onRefused, fetch, openSocket, nodeTimeoutMs, observeRequest } = options
  const readerCalls = createReaderCalls({ deployed: deployment.reader, onLacksProof: options.onLacksProof })
  const doubts = createDoubts({ onDoubt: options.onDoubt })
  const feeCeilings = createFeeCeilings(chainId)
  const upstream = { chainId, urls, fetch, openSocket, nodeTimeoutMs, observeRequest }
  const rpc = createRpc({
    ...upstream,
    findHead: () => heads.state().head,
    isInUse: () => heads.isInUse(),
    mayBeOtherChain: (head) => heads.mayBeOtherChain(head),
    isLinked: (block) => heads.isLinked(block),
    doubts,
    wallMs: now,
    verify: () => codeVerifier.verify(),
    createProbe: readerCalls.createProbe,
    onState(report) {
      // After a failed read, the newest block is read as soon as a node recovers. After a node of the wrong chain, the
      // head in memory may belong to that chain.
      const isRecovered = report.state === 'healthy' && heads.state().error
      if (isRecovered || report.state === 'wrong-chain') heads.refresh().catch(() => {})
      options.onNode?.(report)
    },
  })
  const codeVerifier = createCodeVerifier({ deployment, listNodes: () => selectNodes(rpc.nodes), onRefused })
  const isOld = (head: Head) => heads.judgeAge(head, now()) !== 'recent'
  const agreement = createAgreement({ rpc, doubts, isLinked: (block) => heads.isLinked(block), voteMs: nodeTimeoutMs })
  const heads = createHeads({
    read: rpc.readHead,
    subscribe: rpc.sockets.length === 0 ? undefined : createSubscribe({ rpc, codeVerifier }),
    prefetch: agreement.judge((head, published) => snapshots.prefetch(head, published)),
    onUnreadable: agreement.replace,
    maxAgeMs: options.snapshotMaxAgeMs ?? 10_000,
    maxBlockAgeMs: options.maxBlockAgeMs,
    onAnswer(head) {
      readerCalls.recordTime(head)
      detectLag(head)
      feeCeilings.observe(head)
    },
  })
  const detectLag = createLagDetector({
    nodes: rpc.nodes,
    isOld,
    wallMs: now,
    onLag: () => void heads.refresh().catch(() => {}),
  })
  const isSampled = createSampling(options.random)
  const { facts, reader, createComparedReader } = createReaders({ rpc, readerCalls, codeVerifier, doubts, isSampled })
  const poolReader: PoolReader = createPoolReader({
    addresses: pools,
    feeds,
    reader,
    facts,
    isSampled,
    onPool: options.onPool,
  })
  const snapshots: Snapshots = createSnapshots({ poolReader, heads })
  const finality = createFinality({ chainId, rpc, now: () => performance.now() })
  const witnesses = createWitnesses({ nodes: rpc.nodes, doubts })
  return {
    rpc,
    heads,
    doubts,
    agreement,
    feeCeilings,
    findRefusal: codeVerifier.findRefusal,
    reader,
    createComparedReader,
    poolReader,
    snapshots,
    estimator: createGasEstimator(rpc),
    witnesses,
    finality,
    minedBlocks: createMinedBlocks({ rpc, finality, findHead: heads.findFresh, isWithheld: witnesses.isWithheld }),
    tokenPermits: createTokenPermits({ rpc, reader, chainId, router }),
    getRouterFeatures: createRouterFeatures({ facts, router, chainId }),
    getFaucetTerms: deployment.faucet && createFaucetTerms(facts, deployment.faucet),
  }
}

type ReaderDependencies = Pick<createStateComparison.Dependencies, 'doubts' | 'isSampled'> & {
  readonly rpc: Rpc
  readonly readerCalls: ReaderCalls
  readonly codeVerifier: Pick<CodeVerifier, 'verify'>
}

/** Creates the reader of all clients, a function that creates the reader of a client, and the reader of facts. */
function createReaders({ rpc, readerCalls, codeVerifier, doubts, isSampled }: ReaderDependencies) {
  const nodes = rpc.nodes.map((node) => createNodeReader(node, { readerCalls, verify: codeVerifier.verify }))
  const createComparedReader = (reads: Pick<Rpc, 'read'>) =>
    createStateComparison({ reader: createReader(reads, readerCalls), nodes, doubts, isSampled })
  const reader = createComparedReader(rpc)
  return { reader, createComparedReader, facts: createFactReader({ nodes, reader, doubts }) }
}

type NodeOptions = Pick<createRpc.Options, 'urls' | 'fetch' | 'nodeTimeoutMs' | 'openSocket' | 'observeRequest'> &
  Pick<createHeads.Dependencies, 'maxBlockAgeMs'>

type ReportOptions = Pick<createDoubts.Dependencies, 'onDoubt'> &
  Pick<createPoolReader.Dependencies, 'onPool'> &
  Pick<createCodeVerifier.Dependencies, 'onRefused'> &
  Pick<createReaderCalls.Options, 'onLacksProof'>

export declare namespace connectChain {
  type Options = NodeOptions &
    ReportOptions & {
      readonly deployment: Deployment
      /** Maximum age of the last confirmed block; 10,000 by default. */
      readonly snapshotMaxAgeMs?: number | undefined
      /** Chooses the reads of pools that are compared, from 0 to 1; `Math.random` by default. */
      readonly random?: (() => number) | undefined
      /** Called after each change of a node's state. */
      readonly onNode?: ((report: NodeReport) => void) | undefined
      /** The wall clock, in milliseconds. The times of blocks are compared with it. Default: the clock of the system. */
      readonly now?: (() => number) | undefined
    }
}

/** The nodes, heads, pools and readers of a chain, which all clients share. */
export type ConnectedChain = ReturnType<typeof connectChain>

/** The parts that read the chain, for all clients or for one client. */
export type ChainReads = Pick<
  ConnectedChain,
  'rpc' | 'reader' | 'snapshots' | 'finality' | 'tokenPermits' | 'feeCeilings'
> & {
  readonly estimator: GasEstimator
}

/** The dependencies that the groups of a chain's methods share, for one client or for all clients. */
export type ChainScope = {
  readonly connected: ConnectedChain
  readonly deployment: Deployment
  readonly client: Client.Client | undefined
  /** Returns the reads. The first call creates the reads of a client, because most previews need no node. */
  readonly reads: () => ChainReads
  /** Waits for work that clients share, until the client disconnects. */
  readonly wait: <Result>(work: Promise<Result>) => Promise<Result>
  readonly broadcastWaitMs: number
  readonly minResendWaitMs: number
}

/**
 * Creates the reads of one client. When the client disconnects, its own reads are cancelled. Reads that other clients
 * share continue, and this client stops waiting for them.
 */
export function createClientReads(connected: ConnectedChain, client: Client.Client): ChainReads {
  const { createComparedReader, snapshots, tokenPermits, estimator, finality, feeCeilings } = connected
  const rpc = { ...connected.rpc, ...connected.rpc.forClient(client) }
  return {
    rpc,
    reader: createComparedReader(rpc),
    snapshots: {
      ...snapshots,
      refresh: () => Client.untilAborted(snapshots.refresh(), client),
      getAt: (block) => Client.untilAborted(snapshots.getAt(block), client),
    },
    finality,
    feeCeilings,
    tokenPermits: { ...tokenPermits, get: (token) => Client.untilAborted(tokenPermits.get(token), client) },
    estimator: { ...estimator, estimate: (request) => Client.untilAborted(estimator.estimate(request, rpc), client) },
  }
}

import { Client, Errors, Network, ServiceError, type Route } from '@agio/core'
import { readAllowance, readNonces } from './account/readAccount.ts'
import { readTokenRefusal, toParties } from './account/tokenRefusal.ts'
import { buildApproval, needsReset } from './approval/buildApproval.ts'
import { decodeConversionCall } from './call/decodeConversionCall.ts'
import { buildBatch } from './convert/buildBatch.ts'
import { buildConvert } from './convert/buildConvert.ts'
import { priceExactIn } from './convert/priceExactIn.ts'
import { priceLadder } from './convert/priceLadder.ts'
import { priceExactOut } from './convert/priceExactOut.ts'
import type { Chain } from './Chain.ts'
import type { Deployment } from './deployment/Deployment.ts'
import { connectChain, createClientReads, type ChainReads, type ConnectedChain } from './connectChain.ts'
import { createFaucet } from './faucet/createFaucet.ts'
import { readFees } from './gas/readFees.ts'
import { viewDeposit } from './liquidity/viewDeposit.ts'
import { viewWithdraw } from './liquidity/viewWithdraw.ts'
import { readConversionReceipt } from './receipt/readConversionReceipt.ts'
import { readConversions } from './receipt/readConversions.ts'
import { permit2Address, toPermit2TypedData } from './permit/permit2.ts'
import { readApprovalState } from './permit/readApprovalState.ts'
import { toPermitTypedData } from './permit/permit.ts'
import { verifyPermit } from './permit/verifyPermit.ts'
import { decodeSigned, type SignedTransaction } from './transaction/decodeSigned.ts'
import { findFailure, type KnownPools } from './transaction/findFailure.ts'
import { readStatus } from './transaction/readStatus.ts'
import { resendPending, sendSigned } from './transaction/sendSigned.ts'
import { waitAtBlocks, waitForReceipt } from './transaction/readReceipt.ts'
import { buildReplacement } from './tracking/buildReplacement.ts'
import { isOwnNonceUse } from './tracking/findNonceUse.ts'
import { toSignedFacts } from './tracking/TransactionFacts.ts'
import { trackTransaction } from './tracking/trackTransaction.ts'

/**
 * Connects to an EVM chain with our deployment, and returns all reads and writes that the procedures need.
 *
 * @example
 * const chain = createChain({ deployment, urls: ['http://127.0.0.1:8545'] })
 * const { block, pools } = await chain.pools.getSnapshot()
 */
export function createChain(options: createChain.Options): Chain {
  const connected = connectChain(options)
  return toChain(options, connected)
}

/** The dependencies that the groups of a chain's methods share, for one client or for all clients. */
type Scope = {
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

/** Returns a chain over its nodes, for one client or for all clients. */
function toChain(options: createChain.Options, connected: ConnectedChain, client?: Client.Client): Chain {
  const { deployment, broadcastWaitMs = 15_000, minResendWaitMs = 5000 } = options
  const { rpc, heads, poolReader, getFaucetTerms } = connected
  let clientReads: ChainReads | undefined
  const reads = () => (clientReads ??= client ? createClientReads(connected, client) : connected)
  const wait = <Result>(work: Promise<Result>) => (client ? Client.untilAborted(work, client) : work)
  const scope: Scope = { connected, deployment, client, reads, wait, broadcastWaitMs, minResendWaitMs }
  return {
    chainId: deployment.chainId,
    name: Network.names[deployment.chainId],
    deployment,
    findRefusal: connected.findRefusal,
    forClient: (newClient) => toChain(options, connected, newClient),
    faucet:
      deployment.faucet &&
      getFaucetTerms &&
      createFaucet({ address: deployment.faucet, getTerms: () => wait(getFaucetTerms()), reads }),
    pools: toPools(scope),
    conversions: toConversions(scope),
    liquidity: {
      viewDeposit: (snapshot, request) => viewDeposit(reads(), snapshot, request),
      viewWithdraw: (snapshot, request) => viewWithdraw(reads().reader, snapshot, request),
    },
    approvals: {
      readAllowance: (request) => readAllowance(reads().reader, request),
      readState: (request) => readApprovalState(reads(), request),
      needsReset: (request) => needsReset(reads().rpc, request),
      build: (request) => buildApproval(reads().rpc, request),
    },
    permits: toPermits(scope),
    transactions: toTransactions(scope),
    gas: { readFees: () => readFees(reads()) },
    heads: { find: heads.findFresh, next: heads.next, state: heads.state, judgeAge: heads.judgeAge },
    nodes: {
      list: () => rpc.nodes.map(({ position, state }) => ({ position, state: state() })),
      countDoubts: connected.doubts.count,
      isSuspect: connected.doubts.isSuspect,
      isUnconfirmed: connected.agreement.isUnconfirmed,
      assertAgreed() {
        if (!options.stopsOnDisagreement || !connected.doubts.isSuspect()) return
        throw Errors.upstreamUnavailable({ action: 'quote a conversion', reason: 'the nodes of the chain disagree' })
      },
      resetCircuits() {
        for (const node of rpc.nodes) node.resetCircuit()
      },
    },
    forgetTokens() {
      connected.tokenPermits.forget()
      connected.estimator.forget()
    },
    stop() {
      heads.stop()
      poolReader.stop()
      for (const node of rpc.nodes) node.stop()
    },
  }
}

function toPools({ connected: { snapshots, poolReader }, wait }: Scope): Chain['pools'] {
  return {
    getSnapshot() {
      const snapshot = snapshots.get()
      return snapshot instanceof Promise ? wait(snapshot) : snapshot
    },
    getSnapshotAt: (block) => wait(snapshots.getAt(block)),
    getTokens: () => snapshots.tokens,
    listUnreadable: poolReader.listUnreadable,
    listDisproven: poolReader.listDisproven,
    listFaultyFeeds: poolReader.listFaultyFeeds,
    replaceSchedule: poolReader.replaceSchedule,
  }
}

function toConversions({ connected, deployment, reads, wait }: Scope): Chain['conversions'] {
  const readsFor = ({ route }: { readonly route: Route.Route }) =>
    route.some(({ pool }) => pool.pricing === 'on-chain') ? reads() : connected
  return {
    priceExactIn: (snapshot, request) => priceExactIn(readsFor(request), snapshot, request),
    priceExactOut: (snapshot, request) => priceExactOut(readsFor(request), snapshot, request),
    priceLadder: (snapshot, request) => priceLadder(readsFor(request), snapshot, request),
    getRouterFeatures: () => wait(connected.getRouterFeatures()),
    build: (request) => buildConvert({ ...reads(), deployment }, request),
    buildBatch: (request) => buildBatch({ ...reads(), deployment }, request),
    decodeCall: (transaction) => decodeConversionCall(transaction, deployment),
  }
}

function toPermits({ connected: { tokenPermits }, deployment, reads, wait }: Scope): Chain['permits'] {
  const { chainId, router, referenceToken: quoteToken } = deployment
  return {
    permit2: permit2Address,
    getTokenPermits: (token) => wait(tokenPermits.get(token)),
    toTypedData: (request) => toPermitTypedData({ ...request, spender: router }),
    toPermit2TypedData: ({ swap, quoteDigest }) =>
      toPermit2TypedData({ chainId, router, swap: { ...swap, quoteToken }, quoteDigest }),
    verify: (request) => verifyPermit({ ...reads(), chainId, router, quoteToken }, request),
  }
}

function toTransactions({ connected, deployment, client, reads, ...scope }: Scope): Chain['transactions'] {
  const { broadcastWaitMs, minResendWaitMs } = scope
  const { rpc, heads, snapshots } = connected
  const { chainId } = deployment
  const known: KnownPools = {
    tokens: snapshots.tokens,
    findStalePrice: snapshots.findStalePrice,
    readRefusal: async ({ tokenIn, tokenOut, from: sender, to, target, recipient }) => {
      if (!tokenIn || !tokenOut || !sender) return undefined
      const conversion = { tokenIn: tokenIn.address, tokenOut: tokenOut.address, sender, recipient }
      const pool = target === 'pool' ? to : undefined
      const parties = toParties({ ...deployment, pools: snapshots.findPools() }, { ...conversion, pool })
      return await readTokenRefusal(reads().reader, parties).catch(() => undefined)
    },
  }
  // After a broadcast whose outcome is unknown, the waits for the transaction and for its receipt share one time limit.
  const uncertainSinceMs = new WeakMap<object, number>()
  /** Returns whether a transaction is rejected for its nonce because it is mined, although no node shows it by its hash. */
  const isMined = async (signed: SignedTransaction, error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'svc/nonce-too-low') return false
    return await heads
      .refresh()
      .then((head) => isOwnNonceUse(rpc, signed, head))
      .catch(() => false)
  }
  return {
    decodeSigned: (serialized) => decodeSigned(serialized, chainId),
    readSigned: async (serialized, hash) =>
      toSignedFacts(await decodeSigned(serialized, chainId), { hash, deployment }),
    // If the client disconnects, its transaction is still sent.
    async send(signed) {
      const context = { snapshots: known, blockSeconds: heads.state().head?.timestampSeconds }
      await sendSigned(rpc, signed, context).catch(async (error: unknown) => {
        if (await isMined(signed, error)) return
        if (!rpc.isUncertain(signed)) throw error
        uncertainSinceMs.set(signed, performance.now())
        // Ends the wait if no node answers, since the caller can send the same bytes again.
        const find = () =>
          rpc.has(signed).then(
            (isFound) => isFound || undefined,
            () => false,
          )
        if (!(await waitAtBlocks(find, { heads, timeoutMs: broadcastWaitMs, client }))) throw error
      })
    },
    async waitForReceipt(signed) {
      const startedAtMs = uncertainSinceMs.get(signed) ?? performance.now()
      const timeoutMs = Math.max(startedAtMs + broadcastWaitMs - performance.now(), 0)
      const receipt = await waitForReceipt(reads().rpc, signed.hash, { heads, timeoutMs, client })
      // The wait ends early if the service stops.
      const isOver = performance.now() - startedAtMs >= Math.max(broadcastWaitMs, minResendWaitMs)
      if (!receipt && isOver) {
        await resendPending(rpc, signed, heads.findFresh()).catch(async (error: unknown) => {
          if (!(await isMined(signed, error))) throw error
        })
      }
      return receipt
    },
    readConversions: (receipt) => readConversions({ ...reads(), deployment }, receipt),
    readConversionReceipt: (hash) =>
      readConversionReceipt({ ...reads(), snapshots: { ...reads().snapshots, ...known }, deployment }, hash),
    findFailure: (hash, receipt) => findFailure(reads().rpc, { hash, receipt, snapshots: known }),
    readStatus: (hash) => readStatus(reads().rpc, hash),
    async track(request) {
      const dependencies = { ...reads(), deployment, findHead: heads.findFresh }
      const tracked = await trackTransaction(dependencies, request)
      return await connected.witnesses.confirm(request.hash, tracked, (node) =>
        trackTransaction({ ...dependencies, rpc: rpc.forNode(node) }, { ...request, observed: true }),
      )
    },
    findNews: (tracked, since) => connected.minedBlocks.findNews(tracked, since),
    listMined: (since) => connected.minedBlocks.listHashes(since),
    buildReplacement: (request) => buildReplacement(reads(), request),
    readNonces: (address) => readNonces(reads().rpc, address),
  }
}

export declare namespace createChain {
  type Options = connectChain.Options & {
    /** Whether `nodes.assertAgreed` throws while nodes disagree; false by default. */
    readonly stopsOnDisagreement?: boolean | undefined
    /** How long `waitForReceipt` waits; 15,000 by default. */
    readonly broadcastWaitMs?: number | undefined
    /** A transaction that is pending is sent once more only after a wait of at least this time; 5,000 by default. */
    readonly minResendWaitMs?: number | undefined
  }
}

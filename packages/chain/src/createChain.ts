import { Client, Errors, Network, type Address, type Route } from '@agio/core'
import type { Hex } from 'viem'
import { readAllowance } from './account/readAccount.ts'
import { buildApproval, needsReset } from './approval/buildApproval.ts'
import { decodeConversionCall } from './call/decodeConversionCall.ts'
import {
  connectChain,
  createClientReads,
  type ChainReads,
  type ChainScope,
  type ConnectedChain,
} from './connectChain.ts'
import { buildBatch } from './convert/buildBatch.ts'
import { buildConvert } from './convert/buildConvert.ts'
import { priceExactIn } from './convert/priceExactIn.ts'
import { priceExactOut } from './convert/priceExactOut.ts'
import { priceLadder } from './convert/priceLadder.ts'
import { createTransactions } from './createTransactions.ts'
import { createFaucet } from './faucet/createFaucet.ts'
import { readFees } from './gas/readFees.ts'
import type { Head } from './head/Head.ts'
import { viewDeposit } from './liquidity/viewDeposit.ts'
import { viewWithdraw } from './liquidity/viewWithdraw.ts'
import { toPermitTypedData } from './permit/permit.ts'
import { permit2Address, toPermit2TypedData, type SignedSwap } from './permit/permit2.ts'
import { readApprovalState } from './permit/readApprovalState.ts'
import { verifyPermit } from './permit/verifyPermit.ts'
import type { Snapshot } from './snapshot/createSnapshots.ts'

/**
 * Connects to an EVM chain with our deployment, and returns all reads and writes that the procedures need.
 *
 * @example
 * const chain = createChain({ deployment, urls: ['http://127.0.0.1:8545'] })
 * const { block, pools } = await chain.pools.getSnapshot()
 */
export function createChain(options: createChain.Options): Chain {
  return toChain(options, connectChain(options))
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

/**
 * The reads and writes of a chain. Every method throws `svc/upstream-*` if no node answers, in addition to the errors that its
 * comment names.
 */
export type Chain = ReturnType<typeof toGroups> & {
  /**
   * Returns the same chain for one client. Once the client disconnects, its waits and reads throw `svc/invalid-request`.
   * Reads that it shares with other clients continue, and its transactions are still sent.
   */
  forClient(client: Client.Client): Chain
}

/** Returns a chain over its nodes, for one client or for all clients. */
function toChain(options: createChain.Options, connected: ConnectedChain, client?: Client.Client): Chain {
  const { deployment, broadcastWaitMs = 15_000, minResendWaitMs = 5000, stopsOnDisagreement = false } = options
  let clientReads: ChainReads | undefined
  const reads = () => (clientReads ??= client ? createClientReads(connected, client) : connected)
  const wait = <Result>(work: Promise<Result>) => (client ? Client.untilAborted(work, client) : work)
  const scope: ChainScope = { connected, deployment, client, reads, wait, broadcastWaitMs, minResendWaitMs }
  return {
    ...toGroups(scope, stopsOnDisagreement),
    forClient: (newClient) => toChain(options, connected, newClient),
  }
}

function toGroups(scope: ChainScope, stopsOnDisagreement: boolean) {
  const { connected, deployment, reads, wait } = scope
  const { rpc, heads, poolReader, getFaucetTerms } = connected
  return {
    chainId: deployment.chainId,
    name: Network.names[deployment.chainId],
    deployment,
    faucet:
      deployment.faucet &&
      getFaucetTerms &&
      createFaucet({ address: deployment.faucet, getTerms: () => wait(getFaucetTerms()), reads }),
    /** The pools of the deployment. */
    pools: toPools(scope),
    /** Prices and calls of conversions. */
    conversions: toConversions(scope),
    /** Deposits and withdrawals of liquidity. */
    liquidity: {
      /** Returns the terms of a deposit into a pool. @throws the errors of `viewDeposit` */
      viewDeposit: (snapshot: Snapshot, request: viewDeposit.Options) => viewDeposit(reads(), snapshot, request),
      /** Returns the amounts that a withdrawal from a pool pays. @throws the errors of `viewWithdraw` */
      viewWithdraw: (snapshot: Snapshot, request: viewWithdraw.Options) =>
        viewWithdraw(reads().reader, snapshot, request),
    },
    /** Allowances of tokens. */
    approvals: toApprovals(scope),
    /** Signatures that pay conversions. */
    permits: toPermits(scope),
    /** Signed, sent and mined transactions. */
    transactions: createTransactions(scope),
    /** The price of gas. */
    gas: {
      /** Returns the fees to offer for the gas of a transaction. */
      readFees: () => readFees(reads()),
    },
    /** The newest block, from memory. */
    heads: { find: heads.findFresh, next: heads.next, state: heads.state, judgeAge: heads.judgeAge },
    /** The nodes that serve the chain. */
    nodes: toNodes(connected, stopsOnDisagreement),
    /**
     * Returns, from memory, why the chain is refused: a contract does not have the code of the deployment file. Every method
     * that needs a node throws `svc/upstream-error` then. Undefined if the chain is not refused.
     */
    findRefusal: connected.findRefusal,
    /** Forgets what was read of tokens, since a local chain that returns to a snapshot may have other tokens. */
    forgetTokens(): void {
      connected.tokenPermits.forget()
      connected.estimator.forget()
    },
    /** Stops following blocks and probing nodes. A WebSocket is closed once its pending requests are settled. */
    stop(): void {
      heads.stop()
      poolReader.stop()
      for (const node of rpc.nodes) node.stop()
    },
  }
}

function toPools({ connected: { snapshots, poolReader }, wait }: ChainScope) {
  return {
    /** Returns the pools at the newest block. Sends no request to a node if the pools were read before. */
    getSnapshot(): Snapshot | Promise<Snapshot> {
      const snapshot = snapshots.get()
      return snapshot instanceof Promise ? wait(snapshot) : snapshot
    },
    /** Returns the pools at an earlier block. */
    getSnapshotAt: (block: Pick<Head, 'number' | 'hash'>) => wait(snapshots.getAt(block)),
    /** Returns the tokens of all pools that were read so far, by address. */
    getTokens: () => snapshots.tokens,
    listUnreadable: poolReader.listUnreadable,
    listDisproven: poolReader.listDisproven,
    listFaultyFeeds: poolReader.listFaultyFeeds,
    replaceSchedule: poolReader.replaceSchedule,
  }
}

function toConversions({ connected, deployment, reads, wait }: ChainScope) {
  const readsFor = ({ route }: { readonly route: Route.Route }) =>
    route.some(({ pool }) => pool.pricing === 'on-chain') ? reads() : connected
  return {
    /** Prices an exact input over a route at the snapshot's block. @throws the errors of `priceExactIn` */
    priceExactIn: (snapshot: Snapshot, request: priceExactIn.Options) =>
      priceExactIn(readsFor(request), snapshot, request),
    /** Prices an exact output over a route, at the same block as `priceExactIn`. @throws the errors of `PoolMath.priceExactOut` */
    priceExactOut: (snapshot: Snapshot, request: priceExactOut.Options) =>
      priceExactOut(readsFor(request), snapshot, request),
    /** Prices many inputs over a route at one block, as `priceExactIn` does. @throws the errors of `priceLadder` */
    priceLadder: (snapshot: Snapshot, request: priceLadder.Options) =>
      priceLadder(readsFor(request), snapshot, request),
    /** Returns the features of the router that the routers of the family do not have, from memory once they are known. */
    getRouterFeatures: () => wait(connected.getRouterFeatures()),
    /** Builds an unsigned conversion, with its gas and its sender's balances. @throws the errors of `buildConvert` */
    build: (request: buildConvert.Options) => buildConvert({ ...reads(), deployment }, request),
    /** Builds a conversion and all calls that its sender needs for it now. @throws the errors of `buildConvert` */
    buildBatch: (request: buildBatch.Options) => buildBatch({ ...reads(), deployment }, request),
    /** Decodes a call of the router or a pool, without a request to a node; undefined for any other call. */
    decodeCall: (transaction: decodeConversionCall.Transaction) => decodeConversionCall(transaction, deployment),
  }
}

function toApprovals({ reads }: ChainScope) {
  return {
    /** Reads the raw units that a spender may transfer, at the newest block. */
    readAllowance: (request: readAllowance.Options) => readAllowance(reads().reader, request),
    /** Reads the allowances of an owner, its nonce at the token, and its code, at the newest block. */
    readState: (request: readApprovalState.Options) => readApprovalState(reads(), request),
    /** Returns whether an owner must approve zero before another amount. */
    needsReset: (request: needsReset.Options) => needsReset(reads().rpc, request),
    /** Builds an unsigned approval with its gas. */
    build: (request: buildApproval.Options) => buildApproval(reads().rpc, request),
  }
}

function toPermits({ connected: { tokenPermits }, deployment, reads, wait }: ChainScope) {
  const { chainId, router, referenceToken: quoteToken } = deployment
  return {
    /** The address of Permit2. `getRouterFeatures` says whether the chain has Permit2. */
    permit2: permit2Address,
    /** Returns the permits that a token accepts instead of an approval, from memory if they are at most ten minutes old. */
    getTokenPermits: (token: Address) => wait(tokenPermits.get(token)),
    /** Returns the data that an owner signs so that the router may spend a token by EIP-2612. */
    toTypedData: (request: Omit<toPermitTypedData.Options, 'spender'>) =>
      toPermitTypedData({ ...request, spender: router }),
    /** Returns the data that an owner signs so that Permit2 pays one conversion by the router. */
    toPermit2TypedData: ({ swap, quoteDigest }: { readonly swap: SignedSwap; readonly quoteDigest: Hex }) =>
      toPermit2TypedData({ chainId, router, swap: { ...swap, quoteToken }, quoteDigest }),
    /** Verifies the signature that pays a conversion by the router. @throws the errors of `verifyPermit` */
    verify: (request: verifyPermit.Options) => verifyPermit({ ...reads(), chainId, router, quoteToken }, request),
  }
}

function toNodes({ rpc, doubts, agreement }: ConnectedChain, stopsOnDisagreement: boolean) {
  return {
    /** Returns the state of each node, in order of preference, from memory. */
    list: () => rpc.nodes.map(({ position, state }) => ({ position, state: state() })),
    countDoubts: doubts.count,
    isSuspect: doubts.isSuspect,
    isUnconfirmed: agreement.isUnconfirmed,
    /** Asserts that quotes may be given although nodes disagree. @throws `svc/upstream-unavailable` */
    assertAgreed(): void {
      if (!stopsOnDisagreement || !doubts.isSuspect()) return
      throw Errors.upstreamUnavailable({ action: 'quote a conversion', reason: 'the nodes of the chain disagree' })
    },
    /** Closes the circuit of every node and verifies its chain id again. */
    resetCircuits(): void {
      for (const node of rpc.nodes) node.resetCircuit()
    },
  }
}

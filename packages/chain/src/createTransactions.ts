import { ServiceError, type Address } from '@agio/core'
import type { Hex } from 'viem'
import { readNonces } from './account/readAccount.ts'
import { readTokenRefusal, toParties } from './account/tokenRefusal.ts'
import type { ChainScope } from './connectChain.ts'
import { readConversionReceipt } from './receipt/readConversionReceipt.ts'
import { readConversions } from './receipt/readConversions.ts'
import { buildReplacement } from './tracking/buildReplacement.ts'
import { isOwnNonceUse } from './tracking/findNonceUse.ts'
import { toSignedFacts, type TransactionFacts } from './tracking/TransactionFacts.ts'
import { trackTransaction, type TrackedTransaction } from './tracking/trackTransaction.ts'
import { decodeSigned, type SignedTransaction } from './transaction/decodeSigned.ts'
import { findFailure, type KnownPools } from './transaction/findFailure.ts'
import { waitAtBlocks, waitForReceipt, type Receipt } from './transaction/readReceipt.ts'
import { readStatus } from './transaction/readStatus.ts'
import { resendPending, sendSigned } from './transaction/sendSigned.ts'

/** Creates the methods for signed, sent and mined transactions. */
export function createTransactions(scope: ChainScope) {
  const known = toKnownPools(scope)
  return { ...createSending(scope, known), ...createReading(scope, known) }
}

/** Creates the methods that send a transaction and wait for it. */
function createSending({ connected, deployment, client, reads, ...scope }: ChainScope, known: KnownPools) {
  const { broadcastWaitMs, minResendWaitMs } = scope
  const { rpc, heads } = connected
  const { chainId } = deployment
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
    /** Decodes a signed transaction, without a request to a node. @throws `svc/invalid-transaction`, `svc/wrong-chain` */
    decodeSigned: (serialized: Hex) => decodeSigned(serialized, chainId),
    /**
     * Returns the facts that a signed transaction with the given hash contains, without a request to a node.
     *
     * @throws the errors of `decodeSigned`; `svc/invalid-request` if it has another hash
     */
    readSigned: async (serialized: Hex, hash: Hex): Promise<TransactionFacts> =>
      toSignedFacts(await decodeSigned(serialized, chainId), { hash, deployment }),
    /** Sends a signed transaction, also if its client disconnects. @throws the errors of `sendSigned` */
    async send(signed: SignedTransaction): Promise<void> {
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
    /**
     * Returns the receipt of a transaction that was sent, once it is mined; undefined if it is pending after
     * `broadcastWaitMs`, or when the chain stops. After a wait of at least five seconds, a pending transaction is sent once
     * more, to another node.
     *
     * @throws `svc/nonce-too-low` if another transaction has used its nonce
     */
    async waitForReceipt(signed: SignedTransaction): Promise<Receipt | undefined> {
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
  }
}

/** Creates the methods that read, track and replace transactions. */
function createReading({ connected, deployment, reads }: ChainScope, known: KnownPools) {
  const { rpc, heads, witnesses, minedBlocks } = connected
  return {
    /** Reads the conversions of a mined transaction, the prices of their execution, and the transaction's block. */
    readConversions: (receipt: Receipt) => readConversions({ ...reads(), deployment }, receipt),
    /** Reads the conversions of a transaction. @throws `svc/transaction-not-found`, `svc/not-a-conversion` */
    readConversionReceipt: (hash: Hex) =>
      readConversionReceipt({ ...reads(), snapshots: { ...reads().snapshots, ...known }, deployment }, hash),
    /** Finds the reason of a failed transaction; undefined if a replay does not show it. */
    findFailure: (hash: Hex, receipt: Receipt) => findFailure(reads().rpc, { hash, receipt, snapshots: known }),
    /** Reads the status of a transaction. @throws `svc/transaction-not-found` */
    readStatus: (hash: Hex) => readStatus(reads().rpc, hash),
    /** Returns the state of a transaction and its finality. @throws the errors of `trackTransaction` */
    async track(request: trackTransaction.Options): Promise<TrackedTransaction> {
      const dependencies = { ...reads(), deployment, findHead: heads.findFresh }
      const tracked = await trackTransaction(dependencies, request)
      return await witnesses.confirm(request.hash, tracked, (node) =>
        trackTransaction({ ...dependencies, rpc: rpc.forNode(node) }, { ...request, observed: true }),
      )
    },
    /** Compares a transaction with the blocks after a block. Each block is read once for all transactions. */
    findNews: minedBlocks.findNews,
    /** Lists the transactions of the blocks after a block; undefined if the blocks since then are unknown. */
    listMined: minedBlocks.listHashes,
    /** Builds a transaction that replaces a pending transaction. @throws the errors of `buildReplacement` */
    buildReplacement: (request: buildReplacement.Options) => buildReplacement(reads(), request),
    /** Reads the next nonce of an account, with and without its pending transactions. */
    readNonces: (address: Address) => readNonces(reads().rpc, address),
  }
}

function toKnownPools({ connected: { snapshots }, deployment, reads }: ChainScope): KnownPools {
  return {
    tokens: snapshots.tokens,
    findStalePrice: snapshots.findStalePrice,
    async readRefusal({ tokenIn, tokenOut, from: sender, to, target, recipient }) {
      if (!tokenIn || !tokenOut || !sender) return undefined
      const conversion = { tokenIn: tokenIn.address, tokenOut: tokenOut.address, sender, recipient }
      const pool = target === 'pool' ? to : undefined
      const parties = toParties({ ...deployment, pools: snapshots.findPools() }, { ...conversion, pool })
      return await readTokenRefusal(reads().reader, parties).catch(() => undefined)
    },
  }
}

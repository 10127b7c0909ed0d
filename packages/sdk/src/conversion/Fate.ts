import { isObject } from '../errors/isObject.ts'
import { isAgioError, type AgioErrorDetails } from '../errors/AgioError.ts'
import type { BlockTransaction } from '../wallet/WalletSession.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { SentRequest } from './ConversionState.ts'
import { whileConnected } from './ensureChain.ts'
import { isRequested } from './conversionTag.ts'
import { createFinder } from './findTransaction.ts'
import type { TrackedTransaction } from '../api/schemas.ts'
import { toStage } from '../tracking/Stage.ts'
import { ignoreWalletFailure } from '../wallet/toWalletError.ts'

/** The fate of a transaction, as far as the node of the wallet or the service knows. */
export type Fate =
  /**
   * `missing` if the node does not know the conversion by the hash: the conversion may still be pending, or the hash is the
   * id of something else, such as a proposal.
   */
  | { readonly kind: 'pending' | 'missing' | 'unknown' }
  /** Pending after its deadline. */
  | { readonly kind: 'late' }
  /** `transaction` if the node knows it. */
  | { readonly kind: 'mined'; readonly transaction?: BlockTransaction }
  | { readonly kind: 'sped-up'; readonly transactionHash: `0x${string}` }
  | {
      readonly kind: 'replaced'
      readonly by: `0x${string}`
      /** The kind of the other transaction. Undefined if unknown. */
      readonly as?: AgioErrorDetails<'convert/replaced'>['kind']
    }

/**
 * Polls the node of the wallet for a transaction. The node learns of replacements that the service does not see. A
 * replacement has another hash, so the node is asked by nonce.
 *
 * It never prompts the user. It returns undefined while the wallet is on another chain or has another account.
 *
 * @throws `wallet/failed`
 */
export function createNodeTracker(run: ConversionRun, sent: SentRequest): () => Promise<Fate | undefined> {
  const { session } = run
  const { transactionHash, deadline } = sent
  const find = createFinder(run, sent)
  const isRequestedTransaction = isRequested(run, sent)
  let nonce = sent.sentNonce

  async function readFate(): Promise<Fate> {
    const { timestamp } = await session.readHead()
    // A node may fail for a hash that it does not know, such as the id of a proposal. The search needs no hash.
    const found = await ignoreWalletFailure(() => session.findTransaction(transactionHash))
    if (found?.blockNumber !== undefined) return { kind: 'mined', transaction: found }
    // A wallet may return the hash of another transaction, whose nonce and fate say nothing about the conversion.
    const transaction = found && isRequestedTransaction(found) ? found : undefined
    // Another account may send for an account with code, with its own nonce.
    if (transaction?.from === session.account.toLowerCase()) keepNonce(transaction)
    // Nodes forget a cancelled transaction.
    const cancellation = nonce === undefined && sent.cancelHash && (await session.findTransaction(sent.cancelHash))
    if (cancellation && cancellation.from === session.account.toLowerCase()) nonce = cancellation.nonce
    const isWinner = (found: BlockTransaction) =>
      nonce === undefined ? isRequestedTransaction(found) : found.nonce === nonce
    // A node without old states cannot find it.
    const winner = await ignoreWalletFailure(() => find(isWinner))
    if (winner?.hash === transactionHash) return { kind: 'mined', transaction: winner }
    if (winner && isRequestedTransaction(winner)) return { kind: 'sped-up', transactionHash: winner.hash }
    if (winner) return { kind: 'replaced', by: winner.hash, ...(isCancel(winner) && { as: 'cancel' }) }
    if (transaction && deadline !== undefined && timestamp > deadline) return { kind: 'late' }
    return { kind: transaction ? 'pending' : 'missing' }
  }

  function keepNonce(transaction: BlockTransaction): void {
    nonce = transaction.nonce
    const { pending } = run.state
    if (pending?.transactionHash === transactionHash && pending.sentNonce === undefined)
      run.update({ pending: { ...pending, sentNonce: nonce } })
  }

  return async () => await whileConnected(run, readFate)
}

/**
 * Returns the fate that the service reports if the node confirms it: the account has sent the replacement, which is
 * mined with the nonce of the transaction. The nonce of a transaction that the node has never shown is unknown: a queue
 * may send it with any later nonce. Any other fate is unknown.
 */
export async function confirmFate(run: ConversionRun, sent: SentRequest, reported: Fate): Promise<Fate> {
  const { session } = run
  const hash = reported.kind === 'replaced' ? reported.by : reported.kind === 'sped-up' && reported.transactionHash
  if (!hash) return { kind: 'unknown' }
  const confirm = async () => {
    const found = await session.findTransaction(hash)
    if (!found || found.from !== session.account.toLowerCase()) return false
    if (reported.kind === 'sped-up') return isRequested(run, sent)(found)
    // Others send for an account with code, so that a nonce of the account says nothing about its conversion.
    const isReplacement = hash === sent.cancelHash || found.nonce === run.state.pending?.sentNonce
    if (found.blockNumber === undefined || !isReplacement || (await session.hasCode())) return false
    return !isRequested(run, sent)(found) && (await session.findReceipt(sent.transactionHash)) === undefined
  }
  const isConfirmed = await ignoreWalletFailure(() => whileConnected(run, confirm))
  return isConfirmed ? reported : { kind: 'unknown' }
}

function isCancel({ from, to, input }: BlockTransaction): boolean {
  return to === from && input === '0x'
}

/**
 * Tracks a transaction through the service. The service finds the transaction that took its nonce even if the wallet is
 * on another chain or its node has no old states. The first response that has the transaction returns a cursor. The
 * cursor identifies a replacement after all nodes have forgotten the hash.
 *
 * Without a cursor, the service does not know a cancelled transaction. It is asked for the cancellation instead.
 *
 * If the service, or a proxy in front of it, does not offer tracking, the fate stays unknown. The node of the wallet is
 * polled as well.
 */
export function createServiceTracker(run: ConversionRun, sent: SentRequest) {
  const { service, state, options } = run
  const cancelHash = sent.cursor === undefined ? sent.cancelHash : undefined
  const transactionHash = cancelHash ?? sent.transactionHash
  let { cursor } = sent
  let isAvailable = true

  return {
    /** Returns the newest cursor of the transaction, undefined until the service has found it. */
    findCursor: () => (cancelHash === undefined ? cursor : undefined),
    /** Returns the fate of the transaction, `unknown` for an error of the service. */
    async readFate(): Promise<Fate> {
      if (!isAvailable) return { kind: 'unknown' }
      try {
        const input = { chainId: state.chainId, transactionHash, ...(cursor !== undefined && { cursor }) }
        const tracked = await service.unretried.transaction.track.query(input, { signal: options.signal })
        if (!isObject(tracked)) return { kind: 'unknown' }
        cursor = typeof tracked.cursor === 'string' ? tracked.cursor : cursor
        const fate = toFate(run, tracked)
        return cancelHash === undefined ? fate : toCancelledFate(fate, cancelHash)
      } catch (error) {
        if (!isAgioError(error)) throw error
        isAvailable = error.retryable || error.code === 'svc/transaction-not-found'
        return { kind: 'unknown' }
      }
    },
  }
}

function toFate({ state }: ConversionRun, tracked: TrackedTransaction): Fate {
  const stage = toStage(tracked)
  if (stage.status === 'reorged') return { kind: 'pending' }
  // The chain decides that.
  if (stage.status === 'dropped') return { kind: 'unknown' }
  if (stage.status !== 'replaced') return { kind: stage.status }
  // Another account may send for an account with code, with its own nonce.
  const isFromAccount = tracked.from?.toLowerCase() === state.account.toLowerCase()
  if (!isFromAccount || !stage.replacement?.kind) return { kind: 'unknown' }
  const { transactionHash, kind } = stage.replacement
  return kind === 'speed-up'
    ? { kind: 'sped-up', transactionHash }
    : { kind: 'replaced', by: transactionHash, as: kind }
}

/** Returns the fate of a transaction whose cancellation has the given fate. */
function toCancelledFate(fate: Fate, cancelHash: `0x${string}`): Fate {
  switch (fate.kind) {
    case 'pending':
      return fate
    case 'mined':
      return { kind: 'replaced', by: cancelHash, as: 'cancel' }
    case 'sped-up':
      return { kind: 'replaced', by: fate.transactionHash, as: 'cancel' }
    default:
      return { kind: 'unknown' }
  }
}

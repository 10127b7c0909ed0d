import { clientError } from '../errors/AgioError.ts'
import { ignoreWalletFailure } from '../wallet/toWalletError.ts'
import type { Hex } from '../wallet/Wallet.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { isSent, type PendingRequest } from './ConversionState.ts'
import { isTagged } from './conversionTag.ts'
import { whileConnected } from './ensureChain.ts'
import { createPaymentFinder } from './findPayment.ts'
import { createFinder } from './findTransaction.ts'
import type { requestTransaction } from './requestTransaction.ts'
import type { StepContent } from './Step.ts'

/** Seconds to wait for pending transactions after a deadline. Most quotes are valid for this long. */
export const maxWaitSeconds = 60

/** What the chain shows of a requested conversion. */
export type Observation = {
  /** Hash of the transaction of the conversion, which has paid or reverted. */
  readonly hash?: Hex | undefined
  /** Whether it has paid. */
  readonly isPaid: boolean
  /** Whether the wallet knows the batch. */
  readonly isKnown: boolean
  /** Whether the wallet says that the batch failed. */
  readonly isFailed: boolean
  /** Whether the conversion can no longer be mined: all blocks up to one after the deadline were searched for it. */
  readonly isOver: boolean
}

/**
 * Creates a function that searches the chain for a requested conversion. It does not depend on the answer of the wallet. It
 * returns undefined while the wallet is on another chain or has another account.
 */
export function createObserver(run: ConversionRun, pending: PendingRequest): () => Promise<Observation | undefined> {
  const { session } = run
  const { deadline, batchId } = pending
  const find = createFinder(run, pending)
  const payments = createPaymentFinder(run, pending)

  async function observe(): Promise<Observation> {
    // Read before the search, so that the search includes all blocks up to the deadline.
    const head = await session.readHead()
    // A pending transaction of the account may be the conversion at a later quote.
    const maySend = !isSent(pending) && (await hasPendingTransactions(run))
    const calls = batchId === undefined ? undefined : await ignoreWalletFailure(() => session.findCalls(batchId))
    const { transactionHash } = calls ?? {}
    const reported = transactionHash && (await ignoreWalletFailure(() => session.findTransaction(transactionHash)))
    const isOver = deadline !== undefined && head.timestamp > deadline + (maySend ? maxWaitSeconds : 0)
    const paid = isOver ? await payments.findInLast(head) : await payments.find(head)
    // A transaction that reverted has paid nothing. A node without old states cannot find it.
    const tagged = paid ? undefined : await ignoreWalletFailure(() => find(isTagged(run)))
    return {
      hash: paid ?? tagged?.hash ?? reported?.hash,
      isPaid: paid !== undefined,
      isKnown: calls !== undefined,
      isFailed: calls?.isFailed === true,
      isOver,
    }
  }

  return async () => await whileConnected(run, observe)
}

/**
 * Creates a function that looks for a requested conversion while the wallet does not answer. It returns its hash once
 * the chain has it.
 *
 * @throws `convert/dropped` once it can no longer be mined
 */
export function createEffectFinder(run: ConversionRun): requestTransaction.Options['findEffect'] {
  let observe: ReturnType<typeof createObserver> | undefined
  return async (pending) => {
    const seen = await (observe ??= createObserver(run, pending))()
    if (seen?.hash) return { transactionHash: seen.hash }
    if (seen?.isOver) throw droppedError(undefined)
    return undefined
  }
}

/** Returns the error of a conversion that was not mined before its deadline. */
export function droppedError(transactionHash: Hex | undefined) {
  const message = `Cannot convert: ${transactionHash ?? 'the conversion'} was not mined before its deadline`
  return clientError('convert/dropped', message, { transactionHash })
}

/** Returns whether the account has pending transactions. */
async function hasPendingTransactions({ session }: ConversionRun): Promise<boolean> {
  const pending = await session.countTransactions('pending')
  return pending > (await session.countTransactions('latest'))
}

// A single owner executes a proposal at once.
const maxExecutionMs = 15_000

/**
 * Creates a function that publishes once that an account with code waits for its other signers. No node knows the
 * transaction of such an account before it is executed.
 */
export function createSignerNotice(run: ConversionRun, content: StepContent): () => Promise<void> {
  const sinceMs = Date.now()
  let isPublished = false
  return async () => {
    if (isPublished || Date.now() - sinceMs < maxExecutionMs) return
    if (!(await ignoreWalletFailure(() => whileConnected(run, () => run.session.hasCode())))) return
    isPublished = true
    await run.publish(content)
  }
}

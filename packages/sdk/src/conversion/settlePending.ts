import { toDeadline } from '../checks/ExpectedConversion.ts'
import { ignoreWalletFailure } from '../wallet/toWalletError.ts'
import { settleApproval } from './approval.ts'
import { confirmConversion } from './confirmConversion.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { PendingRequest } from './ConversionState.ts'
import { isTagged } from './conversionTag.ts'
import { createPolls } from './createPolls.ts'
import { ensureReads, whileConnected } from './ensureChain.ts'
import { createPaymentFinder } from './findPayment.ts'
import { createFinder } from './findTransaction.ts'
import { maxWaitSeconds } from './observeConversion.ts'
import { toBatchId } from './sendBatch.ts'
import type { Step } from './Step.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'

/**
 * Waits for the last request to the wallet, if it was sent. Returns the receipt of a conversion. Otherwise it removes
 * the request from the state, so that the conversion continues.
 */
export async function settlePending(
  run: ConversionRun,
  pending: PendingRequest,
): Promise<SuccessfulReceipt | undefined> {
  if (pending.kind === 'batch' || pending.kind === 'convert') return await confirmConversion(run, pending)
  await settleApproval(run, pending)
  return undefined
}

/**
 * Looks for requests that were made after the stored step, so that an older step is as safe to resume as the newest. It
 * finds the conversion by its id in the calldata or by its payment, or the batch by its id, and stores it in the state.
 * While the account has pending transactions, or others may send for it, it waits until the quote has expired. A failed
 * step is the last of its run.
 */
export async function adoptLaterRequests(run: ConversionRun, { status }: Pick<Step, 'status'>): Promise<void> {
  const { pending } = run.state
  if (pending?.kind === 'convert' || pending?.kind === 'batch') return
  await ensureReads(run)
  if (await adoptBatch(run)) return
  const fromBlock = pending?.fromBlock ?? run.state.fromBlock
  await adoptConversion(run, { fromBlock, isLast: status === 'failed' })
}

type Stored = { readonly fromBlock: number; readonly isLast: boolean }

async function adoptConversion(run: ConversionRun, { fromBlock, isLast }: Stored): Promise<void> {
  const { session, state } = run
  const deadline = toDeadline(state.quote)
  const find = createFinder(run, { fromBlock })
  const payments = createPaymentFinder(run, { fromBlock })
  const polls = createPolls(run)
  for (;;) {
    const observe = async () => {
      // Read before the search, so that the search includes transactions that are mined in between.
      const pendingNonce = await session.countTransactions('pending')
      const head = await session.readHead()
      const hasPending = pendingNonce > (await session.countTransactions('latest'))
      // The transaction of an account with code is not pending anywhere until others send it.
      const isLate = head.timestamp > deadline + (hasPending ? maxWaitSeconds : 0)
      const hasCode = (!hasPending || isLate) && (await session.hasCode())
      const isOver = isLate || (!hasPending && (isLast || !hasCode))
      const paid = isOver && hasCode ? await payments.findInLast(head) : await payments.find(head)
      const transactionHash = paid ?? (await ignoreWalletFailure(() => find(isTagged(run))))?.hash
      return { transactionHash, pendingNonce, isOver }
    }
    const observed = await polls.tolerate(() => whileConnected(run, observe))
    if (observed?.transactionHash) {
      const { pendingNonce, transactionHash } = observed
      adopt(run, { kind: 'convert', fromBlock, nonce: 0, pendingNonce, transactionHash })
      return
    }
    if (observed?.isOver) return
    await polls.pause({ isMined: false })
  }
}

/** Stores a request that was made after the stored step. */
function adopt(run: ConversionRun, request: Omit<PendingRequest, 'to' | 'data' | 'deadline'>): void {
  const { quote } = run.state
  run.update({ pending: { ...request, to: quote.spender, data: '0x', deadline: toDeadline(quote) } })
}

/**
 * Stores a batch that the wallet knows in the state, and returns whether there is one. The id of a batch follows from
 * the conversion and its quote.
 */
async function adoptBatch(run: ConversionRun): Promise<boolean> {
  const { session, state, options } = run
  if (options.approval === 'approve' || state.refused.includes('batch')) return false
  const batchId = toBatchId(run)
  const calls = await ignoreWalletFailure(() => session.findCalls(batchId))
  if (!calls) return false
  const [nonce, pendingNonce] = [await session.countTransactions('latest'), await session.countTransactions('pending')]
  adopt(run, { kind: 'batch', fromBlock: state.fromBlock, nonce, pendingNonce, batchId, answer: 'accepted' })
  return true
}

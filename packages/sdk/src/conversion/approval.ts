import type { TransactionStatus, TransactionStep } from '../api/schemas.ts'
import { isAgioError } from '../errors/AgioError.ts'
import { checkGas } from './checkGas.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { isSent, type PendingRequest, type SentRequest } from './ConversionState.ts'
import { createPolls } from './createPolls.ts'
import { createServiceTracker, createDropDetector, createNodeTracker, type Fate } from './Fate.ts'
import { ensureReads, whileConnected } from './ensureChain.ts'
import { isRequested } from './conversionTag.ts'
import { createFinder } from './findTransaction.ts'
import { ignoreWalletFailure } from '../wallet/toWalletError.ts'
import { toFailureError } from './toFailureError.ts'
import { assertShape, callShape } from '../quote/assertShape.ts'
import { checkApproval, checkSender } from '../checks/checkTransaction.ts'
import { getMaxAmountInRaw } from '../checks/ExpectedConversion.ts'
import { followReplacement, keepCursor, keepHash } from './followReplacement.ts'
import { requestTransaction } from './requestTransaction.ts'
import { toApprovalContent } from './toApprovalContent.ts'

/** Checks an approval of the plan and asks the wallet to send it. @throws `convert/mismatch` */
export async function sendApproval(run: ConversionRun, { kind, walletTransaction }: TransactionStep): Promise<void> {
  assertShape('step.walletTransaction', walletTransaction, callShape)
  const { to, data } = walletTransaction
  const { quote, account, chainId } = run.state
  const amountRaw = kind === 'reset' ? 0n : getMaxAmountInRaw(quote)
  checkApproval({ token: quote.tokenIn.address, spender: quote.spender, amountRaw }, walletTransaction)
  checkSender({ account, chainId }, walletTransaction)
  const content = toApprovalContent(quote, { kind, data })
  await run.publish({ ...content, status: 'needed' })
  await checkGas(run.session, walletTransaction, run.options)
  const { transactionHash } = await requestTransaction(run, {
    call: { kind, to, data },
    waiting: { ...content, status: 'waiting-for-wallet' },
    ask: async () => ({ transactionHash: await run.session.sendTransaction(walletTransaction) }),
  })
  if (transactionHash) await run.publish({ ...content, status: 'sent', transactionHash })
}

/**
 * Waits until an approval is mined, if it was sent, and removes it from the state. The plan of the service then says
 * whether another approval is needed.
 *
 * @throws the error of a revert
 */
export async function settleApproval(run: ConversionRun, pending: PendingRequest): Promise<void> {
  const content = toApprovalContent(run.state.quote, pending)
  run.begin({ ...content, status: 'needed' })
  const sent = isSent(pending) ? pending : await findSent(run, pending)
  const mined = sent && (await waitUntilMined(run, sent))
  run.update({ pending: undefined })
  if (!mined) return
  if (mined.blockNumber !== undefined) run.line.minBlock = Math.max(run.line.minBlock, mined.blockNumber)
  if (mined.status === 'failed') throw toFailureError(mined.failure, 'the approval')
  await run.publish({ ...content, status: 'done', transactionHash: mined.transactionHash })
}

type Mined = TransactionStatus & { readonly transactionHash: `0x${string}` }

/** Returns the mined transaction, or undefined if it was replaced or is gone. */
async function waitUntilMined(run: ConversionRun, first: SentRequest): Promise<Mined | undefined> {
  const { transactionHash } = first
  const polls = createPolls(run)
  const readNodeFate = createNodeTracker(run, first)
  const isGone = createDropDetector(run, first)
  const tracker = createServiceTracker(run, first)
  let sent = first
  for (;;) {
    await run.followed
    const { pending } = run.state
    if (pending !== sent && isSent(pending)) return await waitUntilMined(run, pending)
    const found = await polls.tolerate(() => findApproval(run, first))
    if (found && found !== 'unknown' && found.status !== 'pending') return { ...found, transactionHash }
    // If the node fails, the service is still polled.
    const nodeFate: Fate = (await ignoreWalletFailure(readNodeFate)) ?? { kind: 'unknown' }
    const isTracked = found === 'unknown' || (found && tracker.findCursor() === undefined)
    const isReplaced = nodeFate.kind === 'replaced' || nodeFate.kind === 'sped-up'
    const fate = isTracked && !isReplaced ? await tracker.readFate() : nodeFate
    sent = keepCursor(run, sent, tracker.findCursor())
    if (run.state.pending !== sent) continue
    if (fate.kind === 'replaced') return undefined
    if (fate.kind === 'sped-up') {
      await followReplacement(run, { ...fate, kind: 'speed-up', replaced: transactionHash })
      continue
    }
    // The service may know a transaction that the node of the wallet does not know.
    if (found === 'unknown' && (await isGone()) && run.state.pending === sent) return undefined
    await polls.pause({ isMined: nodeFate.kind === 'mined' })
  }
}

/** Nodes forget a cancelled approval, so the service is asked for its cancellation until that is mined. */
async function findApproval(
  run: ConversionRun,
  { transactionHash, cancelHash }: SentRequest,
): Promise<TransactionStatus | 'unknown'> {
  const cancellation = cancelHash === undefined ? 'unknown' : await findStatus(run, cancelHash)
  return cancellation !== 'unknown' && cancellation.status === 'pending'
    ? cancellation
    : await findStatus(run, transactionHash)
}

async function findStatus(
  { service, state, options: { signal } }: ConversionRun,
  transactionHash: `0x${string}`,
): Promise<TransactionStatus | 'unknown'> {
  const input = { chainId: state.chainId, transactionHash }
  try {
    return await service.unretried.transaction.status.query(input, { signal })
  } catch (error) {
    if (isAgioError(error) && error.code === 'svc/transaction-not-found') return 'unknown'
    throw error
  }
}

/**
 * Finds the approval of a wallet that did not respond. While the account has new pending transactions, it keeps
 * looking.
 */
async function findSent(run: ConversionRun, pending: PendingRequest): Promise<SentRequest | undefined> {
  await ensureReads(run)
  const { session } = run
  const find = createFinder(run, pending)
  const polls = createPolls(run)
  for (;;) {
    const observe = async () => {
      // Read before the search, so that the search includes transactions that are mined in between.
      const pendingNonce = await session.countTransactions('pending')
      const found = await find(isRequested(run, pending))
      const latestNonce = await session.countTransactions('latest')
      const mayAppear = pendingNonce > pending.pendingNonce && pendingNonce > latestNonce
      return { hash: found?.hash, mayAppear }
    }
    const observed = await polls.tolerate(() => whileConnected(run, observe))
    if (observed?.hash) return keepHash(run, pending, observed.hash)
    if (observed && !observed.mayAppear) return undefined
    await polls.pause({ isMined: false })
  }
}

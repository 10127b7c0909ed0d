import type { TransactionStatus, TransactionStep } from '../api/schemas.ts'
import { checkApproval, checkSender } from '../checks/checkTransaction.ts'
import { getMaxAmountInRaw, toDeadline } from '../checks/ExpectedConversion.ts'
import { isAgioError } from '../errors/AgioError.ts'
import { assertShape, callShape } from '../quote/assertShape.ts'
import { ignoreWalletFailure } from '../wallet/toWalletError.ts'
import type { Hex } from '../wallet/Wallet.ts'
import type { BlockTransaction } from '../wallet/WalletSession.ts'
import { readAllowance } from './checkContracts.ts'
import { checkGas } from './checkGas.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { isSent, type PendingRequest } from './ConversionState.ts'
import { isRequested } from './conversionTag.ts'
import { createPolls } from './createPolls.ts'
import { createConnectionWait, ensureReads, whileConnected } from './ensureChain.ts'
import { createFinder } from './findTransaction.ts'
import { followReplacement, keepHash } from './followReplacement.ts'
import { createSignerNotice, droppedError } from './observeConversion.ts'
import { requestTransaction } from './requestTransaction.ts'
import { toApprovalContent } from './toApprovalContent.ts'
import { toFailureError } from './toFailureError.ts'

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
    ask: async () => await run.session.sendTransaction(walletTransaction),
    findEffect: async (pending) => ((await whileConnected(run, () => hasEffect(run, pending))) ? {} : undefined),
  })
  if (transactionHash) await run.publish({ ...content, status: 'sent', transactionHash })
}

/** Returns whether the allowance has the requested value. It does not matter who sent the approval. */
async function hasEffect(run: ConversionRun, { kind }: PendingRequest): Promise<boolean> {
  const allowanceRaw = await readAllowance(run)
  return kind === 'reset' ? allowanceRaw === 0n : allowanceRaw >= getMaxAmountInRaw(run.state.quote)
}

/**
 * Waits until the allowance has the requested value, and removes the request from the state. The wait may take days,
 * because other signers may have to confirm the approval. The plan of the service then says whether another approval is
 * needed.
 *
 * @throws the error of a revert; `convert/dropped` if the wallet failed and the quote has expired without an allowance
 */
export async function settleApproval(run: ConversionRun, pending: PendingRequest): Promise<void> {
  const content = toApprovalContent(run.state.quote, pending)
  run.begin({ ...content, status: 'needed' })
  if (!isSent(pending)) await ensureReads(run)
  const outcome = await waitForOutcome(run, pending)
  const { transactionHash } = run.state.pending ?? {}
  run.update({ pending: undefined })
  if (outcome === 'mined')
    await run.publish({ ...content, status: 'done', ...(transactionHash && { transactionHash }) })
}

/** Waits until an approval is mined, or was replaced by another transaction, or was never sent. */
async function waitForOutcome(run: ConversionRun, first: PendingRequest): Promise<'mined' | 'gone'> {
  const polls = createPolls(run)
  const waitForConnection = createConnectionWait(run)
  const content = toApprovalContent(run.state.quote, first)
  const noticeSigners = createSignerNotice(run, { ...content, status: 'waiting-for-signers' })
  let request = first
  let observe = createApprovalObserver(run, first)
  for (;;) {
    await run.followed
    const { pending = request } = run.state
    if (pending.transactionHash !== request.transactionHash || pending.cancelHash !== request.cancelHash) {
      request = pending
      observe = createApprovalObserver(run, pending)
    }
    const seen = await polls.tolerate(() => whileConnected(run, observe))
    if (!seen) await waitForConnection()
    if (run.state.pending?.transactionHash !== request.transactionHash) continue
    if (seen?.kind === 'sped-up' && isSent(request)) {
      await followReplacement(run, { ...seen, kind: 'speed-up', replaced: request.transactionHash })
      continue
    }
    if (seen?.kind === 'sped-up') {
      keepHash(run, request, seen.transactionHash)
      continue
    }
    if (seen?.kind === 'reverted') {
      run.update({ pending: undefined })
      throw toFailureError(await explainRevert(run, request), 'the approval')
    }
    if (seen?.kind === 'mined' || seen?.kind === 'gone') return seen.kind
    if (seen?.kind === 'missing') await noticeSigners()
    await polls.pause({ isMined: false })
  }
}

/** What the chain shows of an approval. */
type ApprovalState =
  | { readonly kind: 'mined' | 'reverted' | 'gone' | 'pending' | 'missing' }
  | { readonly kind: 'sped-up'; readonly transactionHash: Hex }

// A private relay may show a transaction to the node long after the wallet has returned its hash.
const minMissingMs = 120_000

function createApprovalObserver(run: ConversionRun, request: PendingRequest): () => Promise<ApprovalState> {
  const { session, state, line } = run
  const { transactionHash: hash, answer, cancelHash } = request
  const find = createFinder(run, request)
  const isRequestedTransaction = isRequested(run, request)
  const deadline = toDeadline(state.quote)
  const sinceMs = Date.now()
  let nonce: number | undefined

  return async () => {
    const { number, timestamp } = await session.readHead()
    // A node may fail for a hash that it does not know.
    const transaction = hash && (await ignoreWalletFailure(() => session.findTransaction(hash)))
    const receipt = hash && transaction && (await session.findReceipt(hash))
    const isEffective = await hasEffect(run, request)
    if (receipt || isEffective) line.minBlock = Math.max(line.minBlock, receipt?.blockNumber ?? number)
    // A bundler or a co-signer may execute the approval of an account with code again.
    if (
      receipt &&
      (isEffective || (transaction && isOwn(run, transaction.from) && isRequestedTransaction(transaction)))
    )
      return { kind: receipt.isSuccess || isEffective ? 'mined' : 'reverted' }
    const cancellation = cancelHash && (await session.findTransaction(cancelHash))
    nonce = [transaction, cancellation].find((found) => found && isOwn(run, found.from))?.nonce ?? nonce
    const mayAppear = await mayBeSent(run, request)
    const isWinner = (found: BlockTransaction) => found.nonce === (nonce ?? request.pendingNonce)
    // A node without old states cannot find it.
    const winner = await ignoreWalletFailure(() => find((found) => isRequestedTransaction(found) || isWinner(found)))
    if (winner && isRequestedTransaction(winner) && winner.hash !== hash)
      return { kind: 'sped-up', transactionHash: winner.hash }
    if (isEffective) return { kind: 'mined' }
    if (transaction && !receipt) return { kind: 'pending' }
    if (hash === undefined && answer === undefined && !mayAppear) return { kind: 'gone' }
    if (answer === 'failed' && timestamp > deadline && !mayAppear) throw droppedError(hash)
    const isLate = Date.now() - sinceMs >= minMissingMs
    // Others send for an account with code, so that its nonce says nothing about the approval.
    const isKnown = winner && (winner.hash !== hash || receipt) && (nonce !== undefined || isLate)
    const isGone = isKnown && answer !== 'failed' && !(await session.hasCode())
    return { kind: isGone ? 'gone' : 'missing' }
  }
}

function isOwn({ state }: ConversionRun, from: string): boolean {
  return from === state.account.toLowerCase()
}

/** Returns whether the account has new pending transactions, one of which may be the approval. */
async function mayBeSent({ session }: ConversionRun, { pendingNonce }: PendingRequest): Promise<boolean> {
  const now = await session.countTransactions('pending')
  return now > pendingNonce && now > (await session.countTransactions('latest'))
}

/** Returns what the service says about an approval that reverted, if anything. */
async function explainRevert(
  { service, state, options: { signal } }: ConversionRun,
  { transactionHash = '0x' }: PendingRequest,
): Promise<TransactionStatus['failure']> {
  const input = { chainId: state.chainId, transactionHash }
  try {
    return (await service.unretried.transaction.status.query(input, { signal })).failure
  } catch (error) {
    if (!isAgioError(error) || error.code === 'convert/aborted') throw error
    return undefined
  }
}

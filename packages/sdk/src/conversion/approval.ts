import type { TransactionStatus, TransactionStep } from '../api/schemas.ts'
import { isAgioError } from '../errors/AgioError.ts'
import { checkGas } from './checkGas.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { PendingRequest, SentRequest } from './ConversionState.ts'
import { createPolls } from './createPolls.ts'
import { createServiceTracker, createDropDetector, createNodeTracker, type Fate } from './Fate.ts'
import { ensureReads, whileConnected } from './ensureChain.ts'
import { isRequested } from './conversionTag.ts'
import { createFinder } from './findTransaction.ts'
import { ignoreWalletFailure } from '../wallet/toWalletError.ts'
import { toFailureError } from './toFailureError.ts'
import * as Decimal from '../quote/Decimal.ts'
import { assertShape, callShape } from '../quote/assertShape.ts'
import { checkApproval, checkSender } from '../checks/checkTransaction.ts'
import { getMaxAmountInRaw } from '../checks/ExpectedConversion.ts'
import { applyReplacement, type Replacement } from './Replacement.ts'
import { requestTransaction } from './requestTransaction.ts'
import type { AgioQuoteData } from '../quote/AgioQuote.ts'

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
  const transactionHash = pending.transactionHash ?? (await findSent(run, pending))
  const mined = transactionHash && (await waitUntilMined(run, { ...pending, transactionHash }))
  run.update({ pending: undefined })
  if (!mined) return
  if (mined.blockNumber !== undefined) run.line.minBlock = Math.max(run.line.minBlock, mined.blockNumber)
  if (mined.status === 'failed') throw toFailureError(mined.failure, 'the approval')
  await run.publish({ ...content, status: 'done', transactionHash: mined.transactionHash })
}

type Mined = TransactionStatus & { readonly transactionHash: `0x${string}` }

/** Returns the mined transaction, or undefined if it was replaced or is gone. */
async function waitUntilMined(run: ConversionRun, sent: SentRequest): Promise<Mined | undefined> {
  const { transactionHash } = sent
  const polls = createPolls(run)
  const readNodeFate = createNodeTracker(run, sent)
  const isGone = createDropDetector(run, sent)
  const tracker = createServiceTracker(run, sent)
  for (;;) {
    const replacement = run.takeReplacement()
    if (replacement) return await waitForReplacement(run, withCursor(sent, tracker.findCursor()), replacement)
    const found = await polls.tolerate(() => findStatus(run, transactionHash))
    if (found && found !== 'unknown' && found.status !== 'pending') return { ...found, transactionHash }
    // If the node fails, the service is still polled.
    const nodeFate: Fate = (await ignoreWalletFailure(readNodeFate)) ?? { kind: 'unknown' }
    const isTracked = found === 'unknown' || (found && tracker.findCursor() === undefined)
    const isReplaced = nodeFate.kind === 'replaced' || nodeFate.kind === 'sped-up'
    const fate = isTracked && !isReplaced ? await tracker.readFate() : nodeFate
    if (fate.kind === 'replaced') return undefined
    if (fate.kind === 'sped-up')
      return await waitForReplacement(run, sent, { ...fate, kind: 'speed-up', replaced: transactionHash })
    // The service may know a transaction that the node of the wallet does not know.
    if (found === 'unknown' && (await isGone())) return undefined
    await polls.pause({ isMined: nodeFate.kind === 'mined' })
  }
}

function withCursor(sent: SentRequest, cursor: string | undefined): SentRequest {
  return cursor === undefined ? sent : { ...sent, cursor }
}

/** Keeps a replacement in the state, publishes its hash, and waits until one of the transactions is mined. */
async function waitForReplacement(run: ConversionRun, sent: SentRequest, replacement: Replacement) {
  const pending = applyReplacement(sent, replacement)
  if (!pending) return await waitUntilMined(run, sent)
  const { transactionHash } = replacement
  run.update({ pending })
  await run.publish({ ...toApprovalContent(run.state.quote, pending), status: 'sent', transactionHash })
  return await waitUntilMined(run, pending)
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
async function findSent(run: ConversionRun, pending: PendingRequest): Promise<`0x${string}` | undefined> {
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
    if (observed && (observed.hash !== undefined || !observed.mayAppear)) return observed.hash
    await polls.pause({ isMined: false })
  }
}

/** Returns the fields of the steps of an approval. */
function toApprovalContent({ tokenIn, spender }: AgioQuoteData, { kind, data }: Pick<PendingRequest, 'kind' | 'data'>) {
  const purpose = kind === 'reset' ? kind : 'approve'
  const amount = Decimal.format(BigInt(`0x${data.slice(-64)}`), tokenIn.decimals)
  return { kind: 'approve', purpose, token: tokenIn, spender, amount } as const
}

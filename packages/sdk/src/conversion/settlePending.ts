import { toDeadline } from '../checks/ExpectedConversion.ts'
import { clientError } from '../errors/AgioError.ts'
import type { CallsState } from '../wallet/WalletSession.ts'
import { confirmConversion, droppedError } from './confirmConversion.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { isSent, type PendingRequest, type SentRequest } from './ConversionState.ts'
import { keepHash } from './followReplacement.ts'
import { createPaymentFinder, createFinder } from './findTransaction.ts'
import { createPolls } from './createPolls.ts'
import { ensureReads, whileConnected } from './ensureChain.ts'
import { isTagged } from './conversionTag.ts'
import { refuseBatch, toBatchId } from './sendBatch.ts'
import { settleApproval } from './approval.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'
import { ignoreWalletFailure } from '../wallet/toWalletError.ts'

/**
 * Waits for the last request to the wallet, if it was sent. Returns the receipt of a conversion. Otherwise it removes
 * the request from the state, so that the conversion continues.
 */
export async function settlePending(
  run: ConversionRun,
  pending: PendingRequest,
): Promise<SuccessfulReceipt | undefined> {
  if (pending.kind === 'batch') return await settleBatch(run, pending)
  if (pending.kind === 'convert') return await settleConversion(run, pending)
  await settleApproval(run, pending)
  return undefined
}

async function settleConversion(run: ConversionRun, pending: PendingRequest): Promise<SuccessfulReceipt | undefined> {
  const sent = isSent(pending) ? pending : await findSent(run, pending)
  if (sent) return await confirmConversion(run, sent)
  run.update({ pending: undefined })
  return undefined
}

/**
 * Finds the transaction of a wallet that did not respond. Until the deadline the user may confirm it. After the
 * deadline it cannot convert, and may be requested again.
 */
async function findSent(run: ConversionRun, pending: PendingRequest): Promise<SentRequest | undefined> {
  run.begin({ kind: 'confirm', status: 'needed' })
  await ensureReads(run)
  await run.publish({ kind: 'confirm', status: 'needed' })
  const find = createFinder(run, pending)
  const findPayment = createPaymentFinder(run, pending.fromBlock)
  const polls = createPolls(run)
  for (;;) {
    // Read before the search, so that the search includes all blocks up to the deadline.
    const observe = async () => {
      const { timestamp } = await run.session.readHead()
      const hasPending = await hasPendingTransactions(run)
      const found = await find(isTagged(run))
      return { timestamp, hasPending, hash: found?.hash ?? (await findPayment()) }
    }
    const observed = await polls.tolerate(() => whileConnected(run, observe))
    if (observed?.hash) return keepHash(run, pending, observed.hash)
    if (observed && isOver(pending, observed)) return undefined
    await polls.pause({ isMined: false })
  }
}

/**
 * Returns whether the requested transaction can no longer convert. A pending transaction of the account may be the
 * conversion at a later quote, so the search continues for as long as most quotes are valid.
 */
function isOver({ deadline }: PendingRequest, { timestamp, hasPending }: Observation): boolean {
  return deadline !== undefined && timestamp > deadline + (hasPending ? maxWaitSeconds : 0)
}

type Observation = { readonly timestamp: number; readonly hasPending: boolean }

async function settleBatch(run: ConversionRun, pending: PendingRequest): Promise<SuccessfulReceipt | undefined> {
  const { batchId = '' } = pending
  const content = { kind: 'batch', batchId } as const
  run.begin({ kind: 'batch', status: 'needed' })
  const transactionHash = pending.transactionHash ?? (await findBatch(run, pending))
  if (transactionHash === undefined) return undefined
  const sent = keepHash(run, pending, transactionHash)
  await run.publish({ ...content, status: 'done', transactionHash })
  return await confirmConversion(run, sent)
}

/**
 * Returns the hash of a batch. Removes the request from the state and returns undefined if the batch was not sent and no
 * longer can be.
 */
async function findBatch(run: ConversionRun, pending: PendingRequest): Promise<`0x${string}` | undefined> {
  await ensureReads(run)
  const { batchId = '' } = pending
  const find = createFinder(run, pending)
  const findPayment = createPaymentFinder(run, pending.fromBlock)
  const polls = createPolls(run)
  for (;;) {
    const observe = async () => {
      // Read before the batch, so that the state of the batch is newer.
      const { timestamp } = await run.session.readHead()
      const hasPending = await hasPendingTransactions(run)
      const calls = await run.session.findCalls(batchId)
      // A wallet may have forgotten the batch, or have sent it with a later quote.
      const hash = calls ? undefined : ((await find(isTagged(run)))?.hash ?? (await findPayment()))
      return { timestamp, hasPending, calls, hash }
    }
    const observed = await polls.tolerate(() => whileConnected(run, observe))
    const calls = observed?.calls
    if (observed?.hash) return observed.hash
    if (calls?.status === 'confirmed' || (calls?.status === 'failed' && calls.transactionHash)) return getHash(calls)
    if (calls?.status === 'failed') {
      const method = 'wallet_sendCalls'
      await refuseBatch(
        run,
        clientError('wallet/failed', 'Cannot send the batch: the wallet reports that it failed', { method }),
      )
      return undefined
    }
    if (observed && isOver(pending, observed)) {
      if (calls) throw droppedError(undefined)
      run.update({ pending: undefined })
      return undefined
    }
    await polls.pause({ isMined: false })
  }
}

function getHash({ transactionHash }: CallsState): `0x${string}` {
  if (transactionHash) return transactionHash
  const method = 'wallet_getCallsStatus'
  throw clientError('wallet/failed', 'Cannot find the transaction of the batch: the wallet has no receipt of it', {
    method,
  })
}

/** Seconds to wait for pending transactions after a deadline. Most quotes are valid for this long. */
const maxWaitSeconds = 60

/** Returns whether the account has pending transactions. */
async function hasPendingTransactions({ session }: ConversionRun): Promise<boolean> {
  const pending = await session.countTransactions('pending')
  return pending > (await session.countTransactions('latest'))
}

/**
 * Looks for requests that were made after the stored step, so that an older step is as safe to resume as the newest. It
 * finds the conversion by its id in the calldata, or the batch by its id, and stores it in the state. While the account
 * has pending transactions, it waits until the quote has expired.
 */
export async function adoptLaterRequests(run: ConversionRun): Promise<void> {
  const { pending } = run.state
  if (pending?.kind === 'convert' || pending?.kind === 'batch') return
  await ensureReads(run)
  if (await adoptBatch(run)) return
  await adoptConversion(run)
}

async function adoptConversion(run: ConversionRun): Promise<void> {
  const { session, state } = run
  const { fromBlock, quote } = state
  const deadline = toDeadline(quote)
  const find = createFinder(run, { fromBlock })
  const findPayment = createPaymentFinder(run, fromBlock)
  const polls = createPolls(run)
  for (;;) {
    const observe = async () => {
      // Read before the search, so that the search includes transactions that are mined in between.
      const pendingNonce = await session.countTransactions('pending')
      const { timestamp } = await session.readHead()
      const found = await find(isTagged(run))
      const transactionHash = found?.hash ?? (await findPayment())
      const hasPending = pendingNonce > (await session.countTransactions('latest'))
      return {
        transactionHash,
        data: found?.input ?? '0x',
        pendingNonce,
        isOver: timestamp > deadline + maxWaitSeconds || !hasPending,
      }
    }
    const observed = await polls.tolerate(() => whileConnected(run, observe))
    if (observed?.transactionHash) {
      const { transactionHash, data, pendingNonce } = observed
      const call = { kind: 'convert', to: quote.spender, data, deadline } as const
      run.update({ pending: { ...call, fromBlock, nonce: 0, pendingNonce, transactionHash } })
      return
    }
    if (observed?.isOver) return
    await polls.pause({ isMined: false })
  }
}

/**
 * Stores a batch that the wallet knows in the state, and returns whether there is one. The id of a batch follows from
 * the conversion and its quote.
 */
async function adoptBatch(run: ConversionRun): Promise<boolean> {
  const { session, state, options } = run
  if (options.approval === 'approve' || state.refused.includes('batch')) return false
  const batchId = toBatchId(run)
  const { quote, fromBlock } = state
  const calls = await ignoreWalletFailure(() => session.findCalls(batchId))
  if (!calls) return false
  const [nonce, pendingNonce] = [await session.countTransactions('latest'), await session.countTransactions('pending')]
  const deadline = toDeadline(quote)
  const call = { kind: 'batch', to: quote.spender, data: '0x', deadline, batchId } as const
  run.update({ pending: { ...call, fromBlock, nonce, pendingNonce } })
  return true
}

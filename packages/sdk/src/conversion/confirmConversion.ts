import { clientError, isAgioError } from '../errors/AgioError.ts'
import type { Hex } from '../wallet/Wallet.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { isSent, type PendingRequest, type SentRequest } from './ConversionState.ts'
import { createPolls, type Polls } from './createPolls.ts'
import { isTagged } from './conversionTag.ts'
import { createConnectionWait, ensureReads, whileConnected } from './ensureChain.ts'
import { confirmFate, createServiceTracker, createNodeTracker, type Fate } from './Fate.ts'
import {
  assertConverted,
  findMined,
  hasPaid,
  toReceipt,
  type MinedConversion,
  findContradiction,
} from './MinedConversion.ts'
import { isEarlier, isOfAnother } from './findPayment.ts'
import { followReplacement, keepCursor, keepHash } from './followReplacement.ts'
import { createObserver, createSignerNotice, droppedError, type Observation } from './observeConversion.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'
import { toFailureError } from './toFailureError.ts'
import type { ConversionReceipt } from '../api/schemas.ts'
import { isObject } from '../errors/isObject.ts'
import type { Contradiction } from './Step.ts'

/**
 * Waits until the node has the conversion in a block that is final enough, and returns its receipt. The hash that the
 * wallet returned, and what it says about a batch, only help to find the transaction. The service explains the amounts,
 * and nothing that it reports is believed without the node.
 *
 * @returns undefined if the wallet never answered, and the conversion was not mined before its deadline
 * @throws `convert/replaced`, `convert/dropped`, the error of a revert, and `wallet/wrong-chain` if the wallet is on
 * another chain for a minute
 */
export async function confirmConversion(
  run: ConversionRun,
  request: PendingRequest,
): Promise<SuccessfulReceipt | undefined> {
  run.begin({ kind: request.kind === 'batch' ? 'batch' : 'confirm', status: 'needed' })
  if (!isSent(request)) await ensureReads(run)
  if (!isSent(request) && request.kind === 'convert') await run.publish({ kind: 'confirm', status: 'needed' })
  const [polls, searches] = [createPolls(run), createPolls(run)]
  const waitForConnection = createConnectionWait(run)
  const observe = createObserver(run, request)
  const noticeSigners = createSignerNotice(run, { kind: 'confirm', status: 'waiting-for-signers' })
  const noticeReceipt = createReceiptNotice(run)
  let watched: Watched | undefined
  let seen: Observation | undefined
  for (;;) {
    await run.followed
    watched = await watchPending(run, watched)
    const { sent } = watched ?? {}
    const fate = watched ? await polls.tolerate(watched.readNodeFate) : missing
    const mined = sent && fate?.kind === 'mined' ? await readMined(run, sent, polls) : undefined
    if (watched && fate?.kind === 'mined') await announce(run, watched)
    if (sent && fate?.kind === 'mined' && !mined) await noticeReceipt(sent)
    const isDecided = mined !== undefined && (await polls.tolerate(() => isOutcome(run, { mined, seen, fate })))
    if (isDecided && (await polls.tolerate(() => isFinal(run, mined)))) return await conclude(run, mined)
    const isOpen = mined ? !isDecided : fate !== undefined && openKinds.has(fate.kind)
    if (isOpen) seen = await searches.tolerate(observe)
    if (isOpen && seen?.hash && seen.hash !== sent?.transactionHash) {
      await followFound(run, { ...request, ...run.state.pending }, seen.hash)
      if (sent?.cursor === undefined) watched = undefined
      continue
    }
    if (!fate || (isOpen && !seen)) await waitForConnection()
    // What the service reports is confirmed after the search, which has found no payment.
    else if (watched && (await followReported(run, watched, fate))) continue
    if (isOpen && seen && isUnpaid(seen, fate)) {
      if (sent || request.answer || seen.isKnown) throw droppedError(sent?.transactionHash)
      run.update({ pending: undefined })
      return undefined
    }
    if (watched) await announce(run, watched)
    if (fate?.kind === 'missing') await noticeSigners()
    await polls.pause({ isMined: fate?.kind === 'mined' })
  }
}

const missing: Fate = { kind: 'missing' }

/** The fates after which another transaction may be the conversion. */
const openKinds: ReadonlySet<Fate['kind']> = new Set(['missing', 'replaced', 'late'])

/** A transaction and those who know its fate. */
type Watched = {
  sent: SentRequest
  readonly readNodeFate: ReturnType<typeof createNodeTracker>
  readonly tracker: ReturnType<typeof createServiceTracker>
  /** Whether a step names the hash. It follows the first poll, which usually returns the cursor. */
  isAnnounced: boolean
}

/** Watches the pending transaction from its hash on, and its replacement instead of it. */
async function watchPending(run: ConversionRun, watched: Watched | undefined): Promise<Watched | undefined> {
  const { pending } = run.state
  if (!isSent(pending) || isSame(pending, watched?.sent)) return watched
  if (pending.batchId !== undefined && !watched) {
    const { batchId, transactionHash } = pending
    await run.publish({ kind: 'batch', status: 'done', batchId, transactionHash })
  }
  return {
    sent: pending,
    readNodeFate: createNodeTracker(run, pending),
    tracker: createServiceTracker(run, pending),
    // The step of a replacement has its hash.
    isAnnounced: watched !== undefined,
  }
}

async function announce(run: ConversionRun, watched: Watched): Promise<void> {
  if (watched.isAnnounced || !isSame(run.state.pending, watched.sent)) return
  watched.isAnnounced = true
  await run.publish({ kind: 'confirm', status: 'needed', ...pickHash(watched.sent) })
}

async function readMined(run: ConversionRun, { transactionHash }: SentRequest, polls: Polls) {
  return await polls.tolerate(() => whileConnected(run, () => findMined(run, transactionHash)))
}

/** Continues with the hash that the search has found. It replaces a transaction that the service has known. */
async function followFound(run: ConversionRun, pending: PendingRequest, transactionHash: Hex): Promise<void> {
  const { transactionHash: replaced } = pending
  if (pending.cursor === undefined || replaced === undefined) keepHash(run, pending, transactionHash)
  else await followReplacement(run, { kind: 'speed-up', transactionHash, replaced })
}

/**
 * Follows what the node and the service say about replacements, and returns whether the conversion has another hash.
 *
 * @throws `convert/replaced`
 */
async function followReported(run: ConversionRun, watched: Watched, fate: Fate): Promise<boolean> {
  const { sent, tracker } = watched
  const { transactionHash } = sent
  const isNeeded = sent.cursor === undefined || fate.kind === 'missing' || fate.kind === 'replaced'
  const reported: Fate = isNeeded ? await tracker.readFate() : { kind: 'unknown' }
  if (fate.kind === 'replaced') throw replacedError(transactionHash, describeReplaced(fate, reported))
  const outcome = fate.kind === 'sped-up' ? fate : await confirmFate(run, sent, reported)
  if (outcome.kind === 'replaced') throw replacedError(transactionHash, outcome)
  if (outcome.kind === 'sped-up') {
    await followReplacement(run, { ...outcome, kind: 'speed-up', replaced: transactionHash })
    return true
  }
  watched.sent = keepCursor(run, sent, tracker.findCursor())
  if (sent.cursor === undefined && watched.sent.cursor !== undefined) watched.isAnnounced = false
  return false
}

/** Returns whether nothing was paid before the deadline. A hash that the search has just found is read first. */
function isUnpaid({ isOver, isPaid, hash }: Observation, fate: Fate | undefined): boolean {
  return isOver && !isPaid && !(hash && fate?.kind === 'missing')
}

function isSame(pending: PendingRequest | undefined, sent: SentRequest | undefined): boolean {
  return pending?.transactionHash === sent?.transactionHash && pending?.cancelHash === sent?.cancelHash
}

function pickHash({ transactionHash }: SentRequest): Pick<SentRequest, 'transactionHash'> {
  return { transactionHash }
}

type Decision = {
  readonly mined: MinedConversion
  readonly seen: Observation | undefined
  readonly fate: Fate | undefined
}

/**
 * Returns whether a mined transaction decides the conversion. A transaction of another sender that has paid nothing may
 * be followed by another one until the deadline: a bundler includes calls that revert, and a relay may send again.
 */
async function isOutcome(run: ConversionRun, { mined, seen, fate }: Decision): Promise<boolean> {
  const { account, quote, pending } = run.state
  const transaction = fate?.kind === 'mined' ? fate.transaction : undefined
  if (!transaction) return false
  // A wallet may return the hash of another transaction, which has no id or the id of another conversion.
  const hasId = isTagged(run)(transaction)
  if (hasPaid(run, mined)) {
    if (hasId || !pending || isOfAnother(run, transaction, mined)) return hasId
    return (await whileConnected(run, () => isEarlier(run, pending, mined))) === false
  }
  const isOwn = hasId && transaction.from === account.toLowerCase()
  if (mined.isSuccess) return isOwn && transaction.to === quote.spender.toLowerCase()
  return isOwn || seen?.isFailed === true || seen?.isOver === true
}

// Nodes index a receipt some seconds after its block.
const maxIndexingMs = 60_000

/** Creates a function that publishes once that the node has had no receipt of a mined transaction for a minute. */
function createReceiptNotice(run: ConversionRun): (sent: SentRequest) => Promise<void> {
  let sinceMs: number | undefined
  return async (sent) => {
    const waitedMs = Date.now() - (sinceMs ??= Date.now())
    if (waitedMs < maxIndexingMs) return
    sinceMs = Number.POSITIVE_INFINITY
    const contradiction = { field: 'receipt', expected: 'a receipt', actual: 'none' }
    await run.publish({ kind: 'confirm', status: 'warning', ...pickHash(sent), ...contradiction })
  }
}

/** Adds what kind of transaction replaced the conversion, which only the service knows, unless it was a cancellation. */
function describeReplaced(fate: Replaced, reported: Fate): Replaced {
  return reported.kind === 'replaced' && reported.by === fate.by ? { ...reported, ...fate } : fate
}

/** Returns whether the block of a mined transaction is as final as the caller wants. */
async function isFinal(run: ConversionRun, { blockNumber }: MinedConversion): Promise<boolean> {
  const { waitFor = 'included' } = run.options
  run.line.minBlock = Math.max(run.line.minBlock, blockNumber)
  if (waitFor === 'included') return true
  await run.endTurn()
  const head = await whileConnected(run, () => run.session.readHead(waitFor))
  return head !== undefined && head.number >= blockNumber
}

async function conclude(run: ConversionRun, mined: MinedConversion): Promise<SuccessfulReceipt> {
  run.hasOutcome = true
  const { transactionHash } = mined
  const { receipt: explanation, contradiction } = await explainMined(run, mined)
  if (contradiction) await run.publish({ kind: 'confirm', status: 'warning', transactionHash, ...contradiction })
  if (mined.isSuccess) {
    assertConverted(run, mined)
    const receipt = await toReceipt(run, mined, explanation)
    await run.publish({ kind: 'confirm', status: 'done', transactionHash, receipt })
    return receipt
  }
  const error = toFailureError(explanation?.failure, 'the conversion')
  await run.fail(error, explanation ?? { transactionHash, status: 'failed', blockNumber: mined.blockNumber })
  throw error
}

type Replaced = Extract<Fate, { readonly kind: 'replaced' }>

function replacedError(transactionHash: `0x${string}`, { by: replacedBy, as: kind }: Replaced) {
  const messages = {
    cancel: `the wallet cancelled ${transactionHash} with ${replacedBy}`,
    'same-intent': `${replacedBy} replaced ${transactionHash} and converts the same amount at other terms. Read its receipt before you convert again`,
    other: `another transaction of the wallet, ${replacedBy}, replaced ${transactionHash}`,
  }
  return clientError('convert/replaced', `Cannot convert: ${messages[kind ?? 'other']}`, {
    transactionHash,
    replacedBy,
    ...(kind && { kind }),
  })
}

// The service has usually seen a block as soon as the node of the wallet.
const maxWaitMs = 10_000

/**
 * Returns the receipt of the service for a mined transaction if it agrees with the node. Polls for up to ten seconds,
 * because the service may lag.
 *
 * @returns nothing if the service has no receipt; a contradiction if its receipt differs from the chain
 */
async function explainMined(run: ConversionRun, mined: MinedConversion): Promise<Explanation> {
  const polls = createPolls(run)
  const startedAtMs = Date.now()
  for (;;) {
    const found = await readExplanation(run, mined)
    if (found.receipt || found.isFinal || Date.now() - startedAtMs >= maxWaitMs) return found
    await polls.pause({ isMined: true })
  }
}

/** What the service says about a mined transaction. */
type Explanation = {
  readonly receipt?: ConversionReceipt
  readonly contradiction?: Contradiction
  /** Whether another request would not help. */
  readonly isFinal?: boolean
}

async function readExplanation(run: ConversionRun, mined: MinedConversion): Promise<Explanation> {
  const { service, state, options } = run
  const input = { transactionHash: mined.transactionHash, chainId: state.chainId, quote: state.quote.quote }
  try {
    const receipt = await service.unretried.convert.receipt.query(input, { signal: options.signal })
    if (!isObject(receipt) || receipt.status === 'pending') return {}
    const contradiction = findContradiction(run, receipt, mined)
    return contradiction ? { contradiction } : { receipt }
  } catch (error) {
    if (!isAgioError(error) || error.code === 'convert/aborted') throw error
    return { isFinal: !error.retryable && error.code !== 'svc/transaction-not-found' }
  }
}

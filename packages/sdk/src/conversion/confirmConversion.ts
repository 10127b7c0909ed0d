import { clientError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { isSent, type SentRequest } from './ConversionState.ts'
import { createPolls } from './createPolls.ts'
import { createConnectionWait, whileConnected } from './ensureChain.ts'
import { explainMined } from './explainMined.ts'
import { confirmFate, createServiceTracker, createNodeTracker, type Fate } from './Fate.ts'
import { assertConverted, findMined, toReceipt, type MinedConversion } from './MinedConversion.ts'
import { followReplacement, keepCursor } from './followReplacement.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'
import { toFailureError } from './toFailureError.ts'

/**
 * Waits until the node has the transaction of a conversion, or its speed-up, in a block that is final enough. Returns
 * the receipt. The service explains the amounts, and nothing that it reports is believed without the node.
 *
 * @throws `convert/replaced`, `convert/dropped`, the error of a revert, and `wallet/wrong-chain` if the wallet is on
 * another chain for a minute
 */
export async function confirmConversion(run: ConversionRun, first: SentRequest): Promise<SuccessfulReceipt> {
  run.begin({ kind: 'confirm', status: 'needed', transactionHash: first.transactionHash })
  const polls = createPolls(run)
  const waitForConnection = createConnectionWait(run)
  let watched = watch(run, first)
  // Published after the first poll, which usually returns the cursor, so that the step is not published twice.
  let isAnnounced = false
  const announce = async () => {
    if (isAnnounced || run.state.pending !== watched.sent) return
    isAnnounced = true
    await run.publish({ kind: 'confirm', status: 'needed', transactionHash: watched.sent.transactionHash })
  }
  for (;;) {
    await run.followed
    const { pending } = run.state
    if (pending !== watched.sent && isSent(pending)) {
      watched = watch(run, pending)
      // The step of the replacement has its hash.
      isAnnounced = true
    }
    const { transactionHash } = watched.sent
    const fate = await polls.tolerate(watched.readNodeFate)
    if (!fate) await waitForConnection()
    if (fate?.kind === 'mined') {
      const mined = await polls.tolerate(() => whileConnected(run, () => findFinal(run, watched.sent)))
      await announce()
      if (mined) return await conclude(run, mined)
    }
    if (fate?.kind === 'dropped') throw droppedError(transactionHash)
    const reported = await readReported(watched, fate)
    if (fate?.kind === 'replaced') throw replacedError(transactionHash, describeReplaced(fate, reported))
    const outcome = fate?.kind === 'sped-up' ? fate : await confirmFate(run, watched.sent, reported)
    if (outcome.kind === 'replaced') throw replacedError(transactionHash, outcome)
    if (outcome.kind === 'sped-up') {
      await followReplacement(run, { ...outcome, kind: 'speed-up', replaced: transactionHash })
      continue
    }
    const kept = keepCursor(run, watched.sent, watched.tracker.findCursor())
    if (watched.sent.cursor === undefined && kept.cursor !== undefined) isAnnounced = false
    watched = { ...watched, sent: kept }
    await announce()
    await polls.pause({ isMined: fate?.kind === 'mined' })
  }
}

/** A transaction and those who know its fate. */
type Watched = {
  readonly sent: SentRequest
  readonly readNodeFate: ReturnType<typeof createNodeTracker>
  readonly tracker: ReturnType<typeof createServiceTracker>
}

function watch(run: ConversionRun, sent: SentRequest): Watched {
  return { sent, readNodeFate: createNodeTracker(run, sent), tracker: createServiceTracker(run, sent) }
}

/** Returns what the service reports, if its cursor is missing, or if the node has lost the transaction. */
async function readReported({ sent, tracker }: Watched, fate: Fate | undefined): Promise<Fate> {
  const isNeeded = sent.cursor === undefined || fate?.kind === 'missing' || fate?.kind === 'replaced'
  return isNeeded ? await tracker.readFate() : { kind: 'unknown' }
}

/** Adds what kind of transaction replaced the conversion, which only the service knows, unless it was a cancellation. */
function describeReplaced(fate: Replaced, reported: Fate): Replaced {
  return reported.kind === 'replaced' && reported.by === fate.by ? { ...reported, ...fate } : fate
}

/** Returns the mined transaction once its block is as final as the caller wants. */
async function findFinal(run: ConversionRun, { transactionHash }: SentRequest): Promise<MinedConversion | undefined> {
  const { session, options } = run
  const mined = await findMined(run, transactionHash)
  if (!mined) return undefined
  run.line.minBlock = Math.max(run.line.minBlock, mined.blockNumber)
  const { waitFor = 'included' } = options
  if (waitFor === 'included') return mined
  await run.endTurn()
  return (await session.readHead(waitFor)).number >= mined.blockNumber ? mined : undefined
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

/** Returns the error of a conversion that was not mined before its deadline. */
export function droppedError(transactionHash: `0x${string}` | undefined) {
  const message = `Cannot convert: ${transactionHash ?? 'the batch'} was not mined before its deadline`
  return clientError('convert/dropped', message, { transactionHash })
}

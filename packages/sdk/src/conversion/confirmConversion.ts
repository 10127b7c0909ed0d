import type { ConversionReceipt } from '../api/schemas.ts'
import { isAgioError, clientError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { SentRequest } from './ConversionState.ts'
import { createPolls } from './createPolls.ts'
import { isSuccessful, type SuccessfulReceipt } from './SuccessfulReceipt.ts'
import { toFailureError } from './toFailureError.ts'
import { createServiceTracker, createNodeTracker, type Fate } from './Fate.ts'

/**
 * Waits until the transaction of a conversion, or its speed-up, is mined. Returns the receipt.
 *
 * @throws `convert/replaced`, `convert/dropped`, and the error of a revert
 */
export async function confirmConversion(run: ConversionRun, first: SentRequest): Promise<SuccessfulReceipt> {
  await run.publish({ kind: 'confirm', status: 'needed', transactionHash: first.transactionHash })
  const polls = createPolls(run)
  let sent = first
  let readNodeFate = createNodeTracker(run, sent)
  let tracker = createServiceTracker(run, sent)
  const follow = async (transactionHash: `0x${string}`) => {
    sent = await followSpeedUp(run, sent, transactionHash)
    readNodeFate = createNodeTracker(run, sent)
    tracker = createServiceTracker(run, sent)
  }
  for (;;) {
    const fate = await readNodeFate()
    if (fate.kind === 'sped-up') await follow(fate.transactionHash)
    const isLate = fate.kind === 'unknown' && ((await polls.tolerate(() => isLongOver(run, sent))) ?? false)
    // Read after the wallet's node, because a transaction that it reports as gone may have been mined.
    const found = await polls.tolerate(() => findReceipt(run, { ...sent, isMined: fate.kind === 'mined' }))
    if (isReceipt(found)) return await conclude(run, { receipt: found, transactionHash: sent.transactionHash })
    // A transaction that a node returns is not replaced. Only its cursor must be read.
    const isTracked = found === 'unknown' || (found === 'pending' && sent.cursor === undefined)
    const tracked: Fate = isTracked ? await tracker.readFate() : { kind: 'pending' }
    if (tracked.kind === 'sped-up') {
      await follow(tracked.transactionHash)
      continue
    }
    if (fate.kind === 'replaced') throw replacedError(sent.transactionHash, { ...fate, ...tracked, kind: fate.kind })
    if (tracked.kind === 'replaced') throw replacedError(sent.transactionHash, tracked)
    if (fate.kind === 'dropped' || isLate) throw droppedError(sent.transactionHash)
    sent = await keepCursor(run, sent, tracker.findCursor())
    await polls.pause({ isMined: fate.kind === 'mined' })
  }
}

function isReceipt(found: ConversionReceipt | string | undefined): found is ConversionReceipt {
  return typeof found === 'object'
}

/** Keeps the cursor in the state, and publishes the first cursor. After a restart it identifies a replacement. */
async function keepCursor(run: ConversionRun, sent: SentRequest, cursor: string | undefined): Promise<SentRequest> {
  if (cursor === undefined || cursor === sent.cursor) return sent
  const pending = { ...sent, cursor }
  run.update({ pending })
  const { transactionHash } = sent
  if (sent.cursor === undefined) await run.publish({ kind: 'confirm', status: 'needed', transactionHash })
  return pending
}

async function followSpeedUp(run: ConversionRun, sent: SentRequest, transactionHash: `0x${string}`) {
  const { cursor: _, transactionHash: replaced, ...rest } = sent
  const pending = { ...rest, transactionHash }
  run.update({ pending })
  await run.publish({ kind: 'confirm', status: 'sent', transactionHash, replaced })
  return pending
}

/** Returns the receipt of a mined transaction. Until then it is `pending`, or `unknown` if no node of the service has it. */
async function findReceipt(
  { service, state, options: { signal } }: ConversionRun,
  { transactionHash, isMined }: { readonly transactionHash: `0x${string}`; readonly isMined: boolean },
): Promise<ConversionReceipt | 'pending' | 'unknown'> {
  const input = { transactionHash, chainId: state.chainId, quote: state.quote.quote }
  try {
    const receipt = await service.unretried.convert.receipt.query(input, { signal })
    return receipt.status === 'pending' ? 'pending' : receipt
  } catch (error) {
    const isUnknown = isAgioError(error) && error.code === 'svc/transaction-not-found'
    if (isUnknown && !isMined) return 'unknown'
    throw error
  }
}

// The nodes of a network do not lag further behind each other.
const maxLagSeconds = 120

/** Returns whether the deadline is so long ago that every node has all blocks up to it. */
async function isLongOver({ service, state, options }: ConversionRun, { deadline }: SentRequest): Promise<boolean> {
  if (deadline === undefined || Date.now() / 1000 < deadline) return false
  const { chains } = await service.unretried.chains.list.query(undefined, { signal: options.signal })
  const { blockTimestamp } = chains.find(({ chainId }) => chainId === state.chainId) ?? {}
  return blockTimestamp != null && Date.parse(blockTimestamp) / 1000 > deadline + maxLagSeconds
}

type Concluded = { readonly receipt: ConversionReceipt; readonly transactionHash: `0x${string}` }

async function conclude(run: ConversionRun, { receipt, transactionHash }: Concluded): Promise<SuccessfulReceipt> {
  if (receipt.blockNumber !== undefined) run.line.minBlock = Math.max(run.line.minBlock, receipt.blockNumber)
  if (isSuccessful(receipt)) {
    await run.publish({ kind: 'confirm', status: 'done', transactionHash, receipt })
    return receipt
  }
  const error = toFailureError(receipt.failure, 'the conversion')
  await run.fail(error, receipt)
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

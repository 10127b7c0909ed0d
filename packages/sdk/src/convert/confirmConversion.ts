import type { ConversionReceipt } from '../api/schemas.ts'
import { isAgioError } from '../errors/AgioError.ts'
import { clientError } from '../errors/clientError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { PendingRequest } from './ConversionState.ts'
import { createPolls } from './createPolls.ts'
import { isSuccessful, type SuccessfulReceipt } from './SuccessfulReceipt.ts'
import { toFailureError } from './toFailureError.ts'
import { createWatch } from './createWatch.ts'

/** A request whose transaction is known. */
export type SentRequest = PendingRequest & { readonly transactionHash: `0x${string}` }

/**
 * Waits until the transaction of a conversion is mined, under whatever hash the wallet has sent it, and returns its receipt.
 *
 * @throws `convert/replaced`, `convert/dropped`, and the error that it reverted with
 */
export async function confirmConversion(run: ConversionRun, first: SentRequest): Promise<SuccessfulReceipt> {
  await run.tell({ kind: 'confirm', status: 'needed', transactionHash: first.transactionHash })
  const polls = createPolls(run)
  let sent = first
  let watch = createWatch(run, sent)
  for (;;) {
    const fate = await watch()
    if (fate.kind === 'sped-up') {
      sent = await followSpeedUp(run, sent, fate.transactionHash)
      watch = createWatch(run, sent)
    }
    const isLate = fate.kind === 'unknown' && ((await polls.tolerate(() => isLongOver(run, sent))) ?? false)
    // Read after what the wallet's node knows: what that one calls gone may have been mined.
    const receipt = await polls.tolerate(() => findReceipt(run, { ...sent, isMined: fate.kind === 'mined' }))
    if (receipt) return await conclude(run, { receipt, transactionHash: sent.transactionHash })
    if (fate.kind === 'replaced') throw replacedError(sent.transactionHash, fate.by)
    if (fate.kind === 'dropped' || isLate) throw droppedError(sent.transactionHash)
    await polls.pause({ isMined: fate.kind === 'mined' })
  }
}

async function followSpeedUp(run: ConversionRun, sent: SentRequest, transactionHash: `0x${string}`) {
  const pending = { ...sent, transactionHash }
  run.update({ pending })
  const { transactionHash: replaced } = sent
  await run.tell({ kind: 'confirm', status: 'sent', transactionHash, replaced })
  return pending
}

/** Returns the receipt of a mined transaction; undefined until it is mined. */
async function findReceipt(
  { service, state, options: { signal } }: ConversionRun,
  { transactionHash, isMined }: { readonly transactionHash: `0x${string}`; readonly isMined: boolean },
): Promise<ConversionReceipt | undefined> {
  const input = { transactionHash, chainId: state.chainId, quote: state.quote.quote }
  try {
    const receipt = await service.unretried.convert.receipt.query(input, { signal })
    return receipt.status === 'pending' ? undefined : receipt
  } catch (error) {
    const isUnknown = isAgioError(error) && error.code === 'svc/transaction-not-found'
    if (isUnknown && !isMined) return undefined
    throw error
  }
}

// Nodes of one network are no further apart.
const maxLagSeconds = 120

/** Whether the deadline has passed by so much that every node has what was mined before it. */
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
    await run.tell({ kind: 'confirm', status: 'done', transactionHash, receipt })
    return receipt
  }
  const error = toFailureError(receipt.failure, 'the conversion')
  await run.fail(error, receipt)
  throw error
}

function replacedError(transactionHash: `0x${string}`, replacedBy: `0x${string}`) {
  const message = `Cannot convert: another transaction of the wallet, ${replacedBy}, took the place of ${transactionHash}`
  return clientError('convert/replaced', message, { transactionHash, replacedBy })
}

/** Returns the error of a conversion that was not mined before its deadline. */
export function droppedError(transactionHash: `0x${string}` | undefined) {
  const message = `Cannot convert: ${transactionHash ?? 'the batch'} was not mined before its deadline`
  return clientError('convert/dropped', message, { transactionHash })
}

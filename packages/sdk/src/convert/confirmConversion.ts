import type { ConversionReceipt } from '../api/schemas.ts'
import { isAgioError } from '../errors/AgioError.ts'
import { clientError } from '../errors/clientError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { PendingRequest } from './ConversionState.ts'
import { createPolls } from './createPolls.ts'
import { toFailureError } from './toFailureError.ts'
import { createWatch } from './createWatch.ts'

/** A request whose transaction is known. */
export type SentRequest = PendingRequest & { readonly transactionHash: `0x${string}` }

/**
 * Waits until the transaction of a conversion is mined, under whatever hash the wallet has sent it, and returns its receipt.
 *
 * @throws `convert/replaced`, `convert/dropped`, and the error that it reverted with
 */
export async function confirmConversion(run: ConversionRun, sent: SentRequest): Promise<ConversionReceipt> {
  let { transactionHash } = sent
  await run.tell({ kind: 'confirm', status: 'needed', transactionHash })
  const polls = createPolls(run)
  let watch = createWatch(run, sent)
  for (;;) {
    const receipt = await polls.tolerate(() => findReceipt(run, transactionHash))
    if (receipt) return await conclude(run, { receipt, transactionHash })
    const fate = await watch()
    if (fate.kind === 'sped-up') {
      const replaced = transactionHash
      ;({ transactionHash } = fate)
      run.update({ pending: { ...sent, transactionHash } })
      await run.tell({ kind: 'confirm', status: 'sent', transactionHash, replaced })
      watch = createWatch(run, { ...sent, transactionHash })
    }
    if (fate.kind === 'replaced') throw replacedError(transactionHash, fate.by)
    if (fate.kind === 'dropped') throw droppedError(transactionHash)
    await polls.pause({ isMined: fate.kind === 'mined' })
  }
}

/** Returns the receipt of a mined transaction; undefined until it is mined. */
async function findReceipt(
  { service, state, options: { signal } }: ConversionRun,
  transactionHash: `0x${string}`,
): Promise<ConversionReceipt | undefined> {
  const input = { transactionHash, chainId: state.chainId, quote: state.quote.quote }
  try {
    const receipt = await service.api.convert.receipt.query(input, { signal })
    return receipt.status === 'pending' ? undefined : receipt
  } catch (error) {
    if (isAgioError(error) && error.code === 'svc/transaction-not-found') return undefined
    throw error
  }
}

type Concluded = { readonly receipt: ConversionReceipt; readonly transactionHash: `0x${string}` }

async function conclude(run: ConversionRun, { receipt, transactionHash }: Concluded): Promise<ConversionReceipt> {
  if (receipt.blockNumber !== undefined) run.line.minBlock = Math.max(run.line.minBlock, receipt.blockNumber)
  if (receipt.status === 'success') {
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

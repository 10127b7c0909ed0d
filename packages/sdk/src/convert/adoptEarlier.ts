import { isAgioError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { ensureChain, whileConnected } from './ensureChain.ts'
import { createFinder } from './findTransaction.ts'
import { createPaymentFinder } from './createPaymentFinder.ts'
import { createPolls } from './createPolls.ts'
import { isTagged } from './conversionTag.ts'
import { maxWaitSeconds } from './hasWaiting.ts'
import { toBatchId } from './sendBatch.ts'

/**
 * Looks for transactions of later steps than the stored step, so that an older step is as safe to resume as the newest.
 * It finds the conversion by its id in the calldata, or the batch by its id. While the account has pending
 * transactions, it waits until the quote has expired.
 */
export async function adoptEarlier(run: ConversionRun): Promise<void> {
  const { pending } = run.state
  if (pending?.kind === 'convert' || pending?.kind === 'batch') return
  await ensureChain(run)
  if (await adoptBatch(run)) return
  await adoptConversion(run)
}

async function adoptConversion(run: ConversionRun): Promise<void> {
  const { session, state } = run
  const { fromBlock, quote } = state
  const deadline = Date.parse(quote.expiresAt) / 1000
  const find = createFinder(run, { fromBlock })
  const findPayment = createPaymentFinder(run, fromBlock)
  const polls = createPolls(run)
  for (;;) {
    const look = async () => {
      // Read before the search, so that the search includes transactions that are mined in between.
      const pendingNonce = await session.countTransactions('pending')
      const { timestamp } = await session.getHead()
      const found = await find(isTagged(run))
      const transactionHash = found?.hash ?? (await findPayment())
      const isWaiting = pendingNonce > (await session.countTransactions('latest'))
      return {
        transactionHash,
        data: found?.input ?? '0x',
        pendingNonce,
        isOver: timestamp > deadline + maxWaitSeconds || !isWaiting,
      }
    }
    const looked = await polls.tolerate(() => whileConnected(run, look))
    if (looked?.transactionHash) {
      const { transactionHash, data, pendingNonce } = looked
      const call = { kind: 'convert', to: quote.spender, data, deadline } as const
      run.update({ pending: { ...call, fromBlock, nonce: 0, pendingNonce, transactionHash } })
      return
    }
    if (looked?.isOver) return
    await polls.pause({ isMined: false })
  }
}

/** Adopts a batch that the wallet knows. The id of a batch follows from the conversion and its quote. */
async function adoptBatch(run: ConversionRun): Promise<boolean> {
  const { session, state, options } = run
  if (options.approval === 'approve' || state.refused.includes('batch')) return false
  const batchId = toBatchId(run)
  const { quote, fromBlock } = state
  const calls = await ignoreFailure(() => session.getCalls(batchId))
  if (!calls) return false
  const [nonce, pendingNonce] = [await session.countTransactions('latest'), await session.countTransactions('pending')]
  const deadline = Date.parse(quote.expiresAt) / 1000
  const call = { kind: 'batch', to: quote.spender, data: '0x', deadline, batchId } as const
  run.update({ pending: { ...call, fromBlock, nonce, pendingNonce } })
  return true
}

/** Returns undefined if the wallet fails, for example because it does not support batches. */
async function ignoreFailure<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isAgioError(error) && error.code === 'wallet/failed') return undefined
    throw error
  }
}

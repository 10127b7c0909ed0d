import type { ConversionReceipt } from '../api/schemas.ts'
import { isAgioError } from '../errors/AgioError.ts'
import { isObject } from '../errors/isObject.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { createPolls } from './createPolls.ts'
import { findContradiction, type MinedConversion } from './MinedConversion.ts'
import type { Contradiction } from './Step.ts'

// The service has usually seen a block as soon as the node of the wallet.
const maxWaitMs = 10_000

/**
 * Returns the receipt of the service for a mined transaction if it agrees with the node. Polls for up to ten seconds,
 * because the service may lag.
 *
 * @returns nothing if the service has no receipt; a contradiction if its receipt differs from the chain
 */
export async function explainMined(run: ConversionRun, mined: MinedConversion): Promise<Explanation> {
  const polls = createPolls(run)
  const startedAtMs = Date.now()
  for (;;) {
    const found = await readExplanation(run, mined)
    if (found.receipt || found.isFinal || Date.now() - startedAtMs >= maxWaitMs) return found
    await polls.pause({ isMined: true })
  }
}

/** What the service says about a mined transaction. */
export type Explanation = {
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

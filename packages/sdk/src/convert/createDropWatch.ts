import { isAgioError } from '../errors/AgioError.ts'
import type { SentRequest } from './ConversionState.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { whileConnected } from './ensureChain.ts'
import { createFinder } from './findTransaction.ts'

// A node may learn of a transaction after the wallet has returned its hash.
const minMissingMs = 12_000
const minMissingLooks = 4

/**
 * Watches whether a transaction without a deadline is gone, which its hash alone does not show: the node of the wallet does not know
 * it, and either no transaction of the account waits, for some time, or another one was mined with the next nonce at its request.
 */
export function createDropWatch(run: ConversionRun, sent: SentRequest): () => Promise<boolean> {
  const { session } = run
  const find = createFinder(run, sent)
  let missing: { readonly sinceMs: number; readonly looks: number } | undefined

  async function look(): Promise<'known' | 'missing' | 'replaced'> {
    if (await session.getTransaction(sent.transactionHash)) return 'known'
    const waiting = await session.countTransactions('pending')
    const mined = await session.countTransactions('latest')
    const winner = mined > sent.pendingNonce && (await find(({ nonce }) => nonce === sent.pendingNonce))
    if (winner) return winner.hash === sent.transactionHash ? 'known' : 'replaced'
    return waiting > mined ? 'known' : 'missing'
  }

  return async () => {
    const seen = await ignoreFailure(() => whileConnected(run, look))
    if (seen === 'replaced') return true
    if (seen !== 'missing') {
      missing = undefined
      return false
    }
    missing = { sinceMs: missing?.sinceMs ?? Date.now(), looks: (missing?.looks ?? 0) + 1 }
    return missing.looks >= minMissingLooks && Date.now() - missing.sinceMs >= minMissingMs
  }
}

/** A node that fails shows nothing. */
async function ignoreFailure<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isAgioError(error) && error.code === 'wallet/failed') return undefined
    throw error
  }
}

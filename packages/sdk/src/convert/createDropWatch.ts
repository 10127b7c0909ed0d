import { isAgioError } from '../errors/AgioError.ts'
import type { SentRequest } from './ConversionState.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { whileConnected } from './ensureChain.ts'
import { createFinder } from './findTransaction.ts'

// A node may learn of a transaction after the wallet has returned its hash.
const minMissingMs = 12_000
const minMissingLooks = 4

/**
 * Creates a function that returns whether a transaction without a deadline is gone. The transaction is gone if the node
 * of the wallet does not know it and one of two conditions holds: the account has had no pending transaction for some
 * time, or another transaction was mined with the nonce that the request would have used.
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

/** Returns undefined if the node fails. */
async function ignoreFailure<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isAgioError(error) && error.code === 'wallet/failed') return undefined
    throw error
  }
}

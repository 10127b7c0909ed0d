import type { BlockTransaction } from '../wallet/WalletSession.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { PendingRequest } from './ConversionState.ts'
import { isConnected } from './ensureChain.ts'
import { listSentTransactions } from './listSentTransactions.ts'

/**
 * Creates a function that finds a transaction of the account among those mined since a request to the wallet. Each call
 * continues where the previous call ended.
 */
export function createFinder(
  run: ConversionRun,
  { fromBlock, nonce }: Pick<PendingRequest, 'fromBlock'> & { readonly nonce?: number | undefined },
): Finder {
  const { session } = run
  const sent: BlockTransaction[] = []
  let after = fromBlock

  return async (matches) => {
    const { number: upTo } = await session.getHead()
    const isUnused = nonce !== undefined && (await session.countTransactions('latest')) <= nonce
    if (!isUnused && upTo > after) {
      const listed = await listSentTransactions(session, { after, upTo })
      // The wallet may have switched to another chain in between.
      if (!(await isConnected(run))) return undefined
      sent.push(...listed)
      after = upTo
    }
    return sent.find(matches)
  }
}

/** Returns the first transaction that matches, or undefined if no such transaction is mined. */
export type Finder = (matches: (transaction: BlockTransaction) => boolean) => Promise<BlockTransaction | undefined>

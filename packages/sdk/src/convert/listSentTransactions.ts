import type { BlockTransaction, WalletSession } from '../wallet/WalletSession.ts'

/**
 * Lists the mined transactions that the account of a wallet has sent after one block and up to another, the oldest first.
 *
 * Their number at a block says which blocks have any, so that few blocks are read of many.
 */
export async function listSentTransactions(
  session: WalletSession,
  { after, upTo }: listSentTransactions.Range,
): Promise<readonly BlockTransaction[]> {
  const account = session.account.toLowerCase()

  async function search(first: Counted, last: Counted): Promise<readonly BlockTransaction[]> {
    if (first.sent === last.sent) return []
    if (last.block - first.block === 1) {
      const { transactions } = await session.getBlock(last.block)
      return transactions.filter(({ from }) => from === account)
    }
    const block = Math.floor((first.block + last.block) / 2)
    const middle = { block, sent: await session.countTransactions(block) }
    return [...(await search(first, middle)), ...(await search(middle, last))]
  }

  if (after >= upTo) return []
  const [first, last] = [await session.countTransactions(after), await session.countTransactions(upTo)]
  return await search({ block: after, sent: first }, { block: upTo, sent: last })
}

export declare namespace listSentTransactions {
  /** Numbers of blocks. */
  type Range = { readonly after: number; readonly upTo: number }
}

/** The number of transactions that an account had sent at a block. */
type Counted = { readonly block: number; readonly sent: number }

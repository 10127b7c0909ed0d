import type { BlockTransaction, WalletBlock, WalletSession } from '../wallet/WalletSession.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { PendingRequest } from './ConversionState.ts'
import { isConnected } from './ensureChain.ts'
import { isAgioError } from '../errors/AgioError.ts'

/**
 * Creates a function that finds a transaction of the account among those mined since a request to the wallet. Each call
 * continues where the previous call ended, unless a reorganisation has removed that block.
 */
export function createFinder(
  run: ConversionRun,
  { fromBlock, nonce }: Pick<PendingRequest, 'fromBlock'> & { readonly nonce?: number | undefined },
): Finder {
  const { session } = run
  let last: Pick<WalletBlock, 'number' | 'hash'> | undefined
  let sent: readonly BlockTransaction[] = []

  async function isReorganised(head: Pick<WalletBlock, 'number'>): Promise<boolean> {
    return last !== undefined && (head.number < last.number || (await session.readHead(last.number)).hash !== last.hash)
  }

  return async (matches) => {
    const head = await session.readHead()
    if (nonce !== undefined && (await session.countTransactions('latest')) <= nonce) return undefined
    if (await isReorganised(head)) [last, sent] = [undefined, []]
    const listed = await listSentTransactions(session, { after: last?.number ?? fromBlock, upTo: head.number })
    // The wallet may have switched to another chain in between.
    if (!(await isConnected(run))) return undefined
    sent = [...sent, ...listed]
    last = head
    return sent.find(matches)
  }
}

/** Returns the first transaction that matches, or undefined if no such transaction is mined. */
type Finder = (matches: (transaction: BlockTransaction) => boolean) => Promise<BlockTransaction | undefined>

/**
 * Lists the transactions of the wallet's account that were mined after one block and up to another, oldest first.
 *
 * The transaction counts at blocks show which blocks have any, so that only few of many blocks are read.
 */
export async function listSentTransactions(
  session: WalletSession,
  { after, upTo }: Range,
): Promise<readonly BlockTransaction[]> {
  const account = session.account.toLowerCase()

  async function search(first: Counted, last: Counted): Promise<readonly BlockTransaction[]> {
    if (first.sent === last.sent) return []
    if (last.block - first.block === 1) {
      const { transactions } = await session.readBlock(last.block)
      return transactions.filter(({ from }) => from === account)
    }
    const block = Math.floor((first.block + last.block) / 2)
    const middle = { block, sent: await session.countTransactions(block) }
    return [...(await search(first, middle)), ...(await search(middle, last))]
  }

  if (after >= upTo) return []
  try {
    const [first, last] = [await session.countTransactions(after), await session.countTransactions(upTo)]
    return await search({ block: after, sent: first }, { block: upTo, sent: last })
  } catch (error) {
    // A node without old states cannot count the transactions at old blocks, but it has the blocks.
    if (!isAgioError(error) || error.code !== 'wallet/failed' || upTo - after > maxBlocks) throw error
    return await readSentTransactions(session, { after, upTo })
  }
}

// More than ten minutes of blocks, at one block per second. Ten minutes is the longest validity of a quote.
const maxBlocks = 1000
const blocksAtOnce = 10

async function readSentTransactions(session: WalletSession, { after, upTo }: Range) {
  const account = session.account.toLowerCase()
  const sent: BlockTransaction[] = []
  for (let first = after + 1; first <= upTo; first += blocksAtOnce) {
    const numbers = Array.from({ length: Math.min(blocksAtOnce, upTo - first + 1) }, (_, index) => first + index)
    const blocks = await Promise.all(numbers.map((number) => session.readBlock(number)))
    sent.push(...blocks.flatMap(({ transactions }) => transactions.filter(({ from }) => from === account)))
  }
  return sent
}

/** A range of block numbers. */
type Range = { readonly after: number; readonly upTo: number }

/** The number of transactions that an account had sent at a block. */
type Counted = { readonly block: number; readonly sent: number }

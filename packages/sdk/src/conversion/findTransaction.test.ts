import { describe, expect, it } from 'vitest'
import { clientError } from '../errors/AgioError.ts'
import type { BlockTransaction, WalletSession } from '../wallet/WalletSession.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { createFinder, listSentTransactions } from './findTransaction.ts'

const account = '0xA610A610a610A610a610A610A610a610A610a610'
const other = '0x00000000000000000000000000000000000000b2'

/** Creates a node with one transaction of the account in each of some blocks. */
function createNode({
  blocks,
  hasOldStates = true,
}: {
  readonly blocks: readonly number[]
  readonly hasOldStates?: boolean
}) {
  const read: number[] = []
  const toTransaction = (from: `0x${string}`, block: number): BlockTransaction => ({
    hash: `0x${block.toString(16).padStart(64, '0')}`,
    from,
    input: '0x',
    nonce: blocks.indexOf(block),
  })
  const session: Pick<WalletSession, 'account' | 'countTransactions' | 'readBlock'> = {
    account,
    async countTransactions(block) {
      if (!hasOldStates) throw clientError('wallet/failed', 'missing trie node', { method: 'eth_getTransactionCount' })
      return blocks.filter((each) => each <= Number(block)).length
    },
    async readBlock(number) {
      read.push(number)
      const own = blocks.includes(number) ? [toTransaction(account.toLowerCase() as `0x${string}`, number)] : []
      return { number, hash: '0x', timestamp: number, transactions: [toTransaction(other, number), ...own] }
    },
  }
  return { session: session as WalletSession, read }
}

describe('listSentTransactions', () => {
  it('the transactions of the account are listed in order, and only few of many blocks are read', async () => {
    const { session, read } = createNode({ blocks: [4, 500, 501, 9999] })
    const sent = await listSentTransactions(session, { after: 4, upTo: 9999 })
    expect(sent.map(({ nonce }) => nonce)).toEqual([1, 2, 3])
    expect(read).toEqual([500, 501, 9999])
  })

  it('a node without old states is asked for each block', async () => {
    const { session, read } = createNode({ blocks: [104, 125], hasOldStates: false })
    const sent = await listSentTransactions(session, { after: 100, upTo: 125 })
    expect(sent.map(({ nonce }) => nonce)).toEqual([0, 1])
    expect(read).toHaveLength(25)
  })

  it('error: wallet/failed for a node without old states, and too many blocks to read', async () => {
    const { session } = createNode({ blocks: [], hasOldStates: false })
    const listed = listSentTransactions(session, { after: 0, upTo: 100_000 })
    await expect(listed).rejects.toMatchObject({ code: 'wallet/failed' })
  })

  it('no block is read without a new block', async () => {
    const { session, read } = createNode({ blocks: [4] })
    expect(await listSentTransactions(session, { after: 9, upTo: 9 })).toEqual([])
    expect(read).toEqual([])
  })
})

describe('createFinder', () => {
  it('the blocks are read again after a reorganisation', async () => {
    const blocks = [4]
    let fork = 'a'
    const { session } = createNode({ blocks })
    const head = async (block?: number | string) => ({
      number: typeof block === 'number' ? block : 9,
      hash: `0x${fork}` as const,
      timestamp: 0,
    })
    const reader = { ...session, readHead: head, readChainId: async () => 1 }
    const run = { session: reader, state: { chainId: 1, account } } as unknown as ConversionRun
    const find = createFinder(run, { fromBlock: 1 })
    expect(await find(() => true)).toMatchObject({ nonce: 0, hash: expect.stringMatching(/4$/) as string })
    blocks[0] = 5
    fork = 'b'
    expect(await find(() => true)).toMatchObject({ nonce: 0, hash: expect.stringMatching(/5$/) as string })
  })
})

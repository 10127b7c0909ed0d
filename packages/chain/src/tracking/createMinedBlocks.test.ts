import { numberToHex, pad, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Head } from '../head/Head.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import { createMinedBlocks } from './createMinedBlocks.ts'

const from = '0x00000000000000000000000000000000000000A1'
const hash: Hex = `0x${'12'.repeat(32)}`
const withheldHash: Hex = `0x${'56'.repeat(32)}`

/** Creates an index over a chain whose blocks the test adds. The first of two nodes may lie about them. */
function setUp({ nodeCount = 1 } = {}) {
  const blocks = new Map<Hex, object>()
  const reads: Hex[] = []
  const positions: number[] = []
  let head: Head | undefined
  let lie: (block: object) => object | null = (block) => block
  const createNode = (position: number) => ({
    position,
    state: () => 'healthy',
    isUsable: () => true,
    async read({ request }: { readonly request: { readonly params: readonly [Hex] } }) {
      const [blockHash] = request.params
      reads.push(blockHash)
      positions.push(position)
      const block = blocks.get(blockHash)
      return block ? (position === 1 ? lie(block) : block) : null
    },
  })
  const nodes = Array.from({ length: nodeCount }, (_, index) => createNode(index + 1)) as unknown as UpstreamNode[]
  const rpc = { nodes } as unknown as createMinedBlocks.Dependencies['rpc']
  const finality: createMinedBlocks.Dependencies['finality'] = {
    async read(_, latest) {
      if (!latest) throw new Error('The index passes the newest block')
      const bound = { by: 'tag', head: latest } as const
      return {
        latest,
        safe: { ...bound, lastNumber: latest.number - 1n },
        finalized: { ...bound, lastNumber: latest.number - 2n },
      }
    },
  }
  function add(
    number: number,
    { parent = number - 1, fork = number, transactions = [] as object[], header = {} } = {},
  ): Hex {
    const [blockHash, parentHash] = [toHash(fork), toHash(parent)]
    const timestamp = numberToHex(number)
    blocks.set(blockHash, {
      number: numberToHex(number),
      hash: blockHash,
      parentHash,
      timestamp,
      transactions,
      ...header,
    })
    head = { number: BigInt(number), hash: blockHash, parentHash, timestampSeconds: BigInt(number) }
    return blockHash
  }
  const isWithheld = (tracked: Hex) => tracked === withheldHash
  const index = createMinedBlocks({ rpc, finality, findHead: () => head, isWithheld })
  return { index, reads, positions, add, setLie: (next: typeof lie) => (lie = next) }
}

const toHash = (id: number) => pad(numberToHex(id), { size: 32 })

it('a block is read once for all transactions, and concerns those that it contains or whose nonce it uses', async () => {
  const { index, reads, add } = setUp()
  const since = add(1)
  add(2, { transactions: [{ hash, from: from.toLowerCase(), nonce: '0x7' }] })
  const other: Hex = `0x${'34'.repeat(32)}`
  const news = await Promise.all([
    index.findNews({ hash }, since),
    index.findNews({ hash: other, from, nonce: 7 }, since),
    index.findNews({ hash: other, from, nonce: 8 }, since),
    index.findNews({ hash: other }, since),
  ])
  expect(news).toEqual(['match', 'match', 'none', 'none'])
  expect(await index.listHashes(since)).toEqual([hash])
  expect(reads).toEqual([toHash(2)])
})

it('blocks that were skipped are read too, and a longer gap is unknown', async () => {
  const { index, add } = setUp()
  const first = add(1)
  const since = add(2)
  await index.findNews({ hash }, first)
  add(3, { transactions: [{ hash, from, nonce: '0x7' }] })
  for (let number = 4; number <= 10; number += 1) add(number)
  expect(await index.findNews({ hash }, since)).toBe('match')
  const newest = toHash(10)
  for (let number = 11; number <= 50; number += 1) add(number)
  expect(await index.findNews({ hash }, newest)).toBe('unknown')
})

it('an empty index, and one after a pause, read back to the block of the last comparison only', async () => {
  const { index, reads, add } = setUp()
  add(1)
  const first = add(2)
  add(3)
  add(4)
  expect(await index.findNews({ hash }, first)).toBe('none')
  expect(reads).toEqual([toHash(4), toHash(3)])
  for (let number = 5; number <= 50; number += 1) add(number)
  const paused = toHash(49)
  expect(await index.findNews({ hash }, paused)).toBe('none')
  expect(reads.slice(2)).toEqual([toHash(50)])
})

it('the index keeps the newest blocks with at most 200,000 transactions together', async () => {
  const { index, reads, add } = setUp()
  const transactions = Array.from({ length: 60_000 }, (_, id) => ({ hash: `0x${id}`, from, nonce: '0x7' }))
  const first = add(1)
  for (let number = 2; number <= 4; number += 1) {
    add(number, { transactions })
    expect(await index.findNews({ hash }, first)).toBe('none')
  }
  add(5, { transactions })
  expect(await index.findNews({ hash }, first)).toBe('unknown')
  expect(await index.findNews({ hash }, toHash(2))).toBe('none')
  // A longer gap is read only until the index is full.
  for (let number = 6; number <= 15; number += 1) add(number, { transactions })
  const readBefore = reads.length
  expect(await index.findNews({ hash }, toHash(5))).toBe('unknown')
  expect(reads.slice(readBefore)).toEqual([15, 14, 13, 12].map(toHash))
})

it('after a reorganisation the blocks that left the chain are unknown', async () => {
  const { index, add } = setUp()
  const first = add(1)
  const left = add(2)
  await index.findNews({ hash }, first)
  add(2, { fork: 102 })
  add(3, { parent: 102 })
  expect(await index.findNews({ hash }, left)).toBe('unknown')
  expect(await index.findNews({ hash }, first)).toBe('none')
})

it('a deadline that has passed and a block that became more final concern a transaction', async () => {
  const { index, add } = setUp()
  const since = add(9)
  add(10)
  expect(await index.findNews({ hash, deadlineSeconds: 10n }, since)).toBe('none')
  expect(await index.findNews({ hash, deadlineSeconds: 9n }, since)).toBe('match')
  expect(await index.findNews({ hash, blockNumber: 9n, finality: 'safe' }, since)).toBe('none')
  expect(await index.findNews({ hash, blockNumber: 8n, finality: 'safe' }, since)).toBe('match')
  expect(await index.findNews({ hash: withheldHash, blockNumber: 8n, finality: 'safe' }, since)).toBe('none')
  expect(await index.findNews({ hash: withheldHash, blockNumber: 8n, finality: 'included' }, since)).toBe('match')
})

describe('a node that lies about a block', () => {
  const mined = { hash, from, nonce: '0x7' }
  const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

  it.each([
    ['the root of its transactions', { transactionsRoot: toHash(1) }],
    ['its gas', { gasUsed: '0x5208' }],
  ])('a block without its transactions, which %s contradicts, is read from the next node', async (_, header) => {
    const { index, positions, add, setLie } = setUp({ nodeCount: 2 })
    setLie((block) => ({ ...block, transactions: [] }))
    const since = add(1)
    add(2, { transactions: [mined], header })
    expect(await index.findNews({ hash }, since)).toBe('match')
    expect(positions).toEqual([1, 2])
  })

  it('an empty block is believed if nothing contradicts it, or if there is no other node', async () => {
    const two = setUp({ nodeCount: 2 })
    const since = two.add(1)
    two.add(2, { header: { transactionsRoot: emptyRoot, gasUsed: '0x0' } })
    expect(await two.index.findNews({ hash }, since)).toBe('none')
    expect(two.positions).toEqual([1])
    const alone = setUp()
    alone.add(1)
    alone.add(2, { header: { gasUsed: '0x5208' } })
    expect(await alone.index.findNews({ hash }, since)).toBe('none')
    expect(alone.positions).toEqual([1])
  })

  it('a block that the node does not have is read from the next node', async () => {
    const { index, positions, add, setLie } = setUp({ nodeCount: 2 })
    setLie(() => null)
    const since = add(1)
    add(2, { transactions: [mined] })
    expect(await index.findNews({ hash }, since)).toBe('match')
    expect(positions).toEqual([1, 2])
  })
})

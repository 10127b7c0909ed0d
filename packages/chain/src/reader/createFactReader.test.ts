import { Errors } from '@agio/core'
import { expect, it } from 'vitest'
import type { Doubt } from '../health/createDoubts.ts'
import type { NodeState } from '../health/UpstreamNode.ts'
import { createFact } from './createFact.ts'
import { createFactReader } from './createFactReader.ts'
import type { Reader } from './createReader.ts'

const failure = Errors.upstreamTimeout({ action: 'read the chain', reason: 'it is late' })

/** A node with the facts that it returns; it fails without facts. */
type Node = { facts?: readonly unknown[] | undefined; state?: NodeState }

/** Creates a fact reader over nodes. The reads of all nodes are counted. */
function start(nodes: readonly Node[]) {
  const doubts: Doubt[] = []
  let reads = 0
  const toSource = (find: () => Node | undefined) => ({ find }) as unknown as Reader
  const facts = createFactReader({
    nodes: nodes.map((node, index) => ({
      position: index + 1,
      state: () => node.state ?? 'healthy',
      reader: toSource(() => node),
    })),
    reader: toSource(() => nodes.find((node) => node.facts)),
    doubts: { add: (doubt) => doubts.push(doubt) },
  })
  const read = async (source: unknown): Promise<readonly unknown[]> => {
    reads += 1
    const found = (source as { find(): Node | undefined }).find()?.facts
    return await (found ? Promise.resolve(found) : Promise.reject(failure))
  }
  return { facts, doubts, countReads: () => reads, read: () => facts.read(read), readFact: read }
}

const doubt = (position: number): Doubt => ({ subject: 'state', position })

it('a fact that two nodes return is confirmed, and a node that contradicts them is doubted once', async () => {
  const { read, doubts } = start([{ facts: [3n, 7n, 'a'] }, { facts: [6n, 8n, 'a'] }, { facts: [6n, 8n, 'a'] }])
  expect(await read()).toEqual([6n, 8n, 'a'].map((value) => ({ state: 'confirmed', value })))
  expect(doubts).toEqual([doubt(1)])
})

it('a fact that one node of two says is absent is the fact of the other node, and both nodes are doubted', async () => {
  const { read, doubts } = start([{ facts: [undefined] }, { facts: [6n] }])
  expect(await read()).toEqual([{ state: 'unconfirmed', value: 6n }])
  expect(doubts).toEqual([doubt(1), doubt(2)])
})

it('a fact that two nodes say is absent is absent', async () => {
  const { read, doubts } = start([{ facts: [undefined] }, { facts: [6n] }, { facts: [undefined] }])
  expect(await read()).toEqual([{ state: 'confirmed', value: undefined }])
  expect(doubts).toEqual([doubt(2)])
})

it.each<[string, readonly unknown[], object, readonly Doubt[]]>([
  ['one vote counts, as of a node that answers alone', [6n, 0n], { state: 'unconfirmed', value: 6n }, []],
  ['two votes that agree count', [0n, 6n, 6n], { state: 'confirmed', value: 6n }, []],
  ['two votes that differ are disputed', [0n, 3n, 6n], { state: 'disputed' }, [doubt(2), doubt(3)]],
  ['without a vote, two nodes that agree count', [0n, 0n], { state: 'confirmed', value: 0n }, []],
  ['against one vote, two nodes that agree count', [0n, 6n, 0n], { state: 'confirmed', value: 0n }, []],
])('a node whose value is no vote contradicts no node: %s', async (_, values, fact, doubted) => {
  const { facts, readFact, doubts } = start(values.map((value) => ({ facts: [value] })))
  expect(await facts.read(readFact, { isVote: (value) => value !== 0n })).toEqual([fact])
  expect(doubts).toEqual(doubted)
})

it.each<[string, readonly Node[], string]>([
  ['a lone node', [{ facts: [3n] }], 'confirmed'],
  ['one node of two, because the other fails,', [{ facts: [3n] }, {}], 'unconfirmed'],
  ['one node of two, because the other is ejected,', [{ state: 'unavailable' }, { facts: [3n] }], 'unconfirmed'],
])('a fact of %s is %s', async (_, nodes, state) => {
  const { read, doubts } = start(nodes)
  expect([await read(), doubts]).toEqual([[{ state, value: 3n }], []])
})

it('error: the error of the nodes is thrown if none answers', async () => {
  await expect(start([{}, {}]).read()).rejects.toBe(failure)
})

it('an unconfirmed fact is kept, and read again in the background once a second node is healthy', async () => {
  const second: Node = { facts: [6n], state: 'unavailable' }
  const { facts, readFact, countReads } = start([{ facts: [3n] }, second, { facts: [6n], state: 'unavailable' }])
  const get = createFact({ facts, read: async (source) => (await readFact(source))[0] })
  expect([await get(), await get(), countReads()]).toEqual([3n, 3n, 1])
  second.state = 'healthy'
  expect(await get()).toBe(3n)
  await new Promise(setImmediate)
  await expect(get()).rejects.toMatchObject({ code: 'svc/upstream-error' })
})

it.each<[string, readonly Node[], number]>([
  ['a lone node', [{ facts: [3n] }], 0],
  ['one healthy node of two', [{ facts: [3n] }, { state: 'unavailable' }], 0],
  ['two healthy nodes', [{ facts: [3n] }, { facts: [3n] }], 2],
])(
  'facts that were read before are confirmed with further reads only at several nodes: %s',
  async (_, nodes, reads) => {
    const { facts, readFact, countReads } = start(nodes)
    expect(await facts.read(readFact, { readAny: () => Promise.resolve([3n]) })).toMatchObject([{ value: 3n }])
    expect(countReads()).toBe(reads)
  },
)

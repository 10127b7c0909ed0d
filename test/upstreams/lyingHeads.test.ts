import type { Doubt } from '@agio/chain'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answerEachCall, type NodeCall, type NodeReply } from '../harness/answerEachCall.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startSocketProxy, type SocketProxy } from './startSocketProxy.ts'
import { startUpstreams, type Upstreams } from './startUpstreams.ts'

let upstreams: Upstreams
let socket: SocketProxy
beforeAll(async () => {
  upstreams = await startUpstreams()
  socket = await startSocketProxy(upstreams.chain.rpcUrl)
})
beforeEach(async () => {
  await upstreams.reset()
  socket.reset()
})
afterAll(async () => {
  await socket?.[Symbol.asyncDispose]()
  await upstreams?.[Symbol.asyncDispose]()
})

type Block = Readonly<Record<'number' | 'hash' | 'parentHash' | 'timestamp', `0x${string}`>>

const add = (quantity: string, value: bigint) => `0x${(BigInt(quantity) + value).toString(16)}` as const
const invert = (hash: string) => `0x${(BigInt(hash) ^ (2n ** 256n - 1n)).toString(16).padStart(64, '0')}` as const
const hour = 3600n

const unreadable: readonly (readonly [string, (block: Block) => Block])[] = [
  [
    'a future block',
    (block) => ({ ...block, number: add(block.number, 1n), hash: invert(block.hash), parentHash: block.hash }),
  ],
  ['the newest block with a wrong hash', (block) => ({ ...block, hash: invert(block.hash) })],
  [
    'a block five ahead',
    ({ number, hash, ...block }) => ({
      ...block,
      number: add(number, 5n),
      hash: invert(hash),
      parentHash: invert(hash),
    }),
  ],
  [
    'an earlier block with a wrong hash',
    ({ number, ...block }) => ({ ...block, number: add(number, -2n), hash: invert(block.hash) }),
  ],
]
const inFuture = (block: Block) => ({ ...block, timestamp: add(block.timestamp, hour) })

const isHeadRead = ({ method, params }: NodeCall) => method === 'eth_getBlockByNumber' && params?.[0] === 'latest'

/** Makes the first node answer with another newest block. */
function lie(change: (block: Block) => Block): void {
  const toLie = async (call: NodeCall, callNode: (call: NodeCall) => Promise<NodeReply>) => {
    const reply = await callNode(call)
    return isHeadRead(call) ? { ...reply, result: change(reply.result as Block) } : reply
  }
  upstreams.first.setAnswer(answerEachCall(upstreams.chain.rpcUrl, toLie))
}

/** Opens the chain over nodes, and reads the pools, so that the chain is in use. */
async function open(urls?: readonly string[], settings = {}) {
  const doubts: Doubt[] = []
  const chain = upstreams.open(urls, { onDoubt: (doubt: Doubt) => doubts.push(doubt), ...settings })
  await chain.pools.getSnapshot()
  const { client } = connectOwner(upstreams.chain)
  return {
    chain,
    doubts,
    states: () => chain.nodes.list().map(({ state }) => state),
    /** Mines a block, and reads the pools until the service has the block. Each read must succeed. */
    async mine(): Promise<void> {
      await client.mine({ blocks: 1 })
      const { number, hash } = await client.getBlock()
      await expect
        .poll(async () => {
          const { block } = await chain.pools.getSnapshot()
          return block.hash === hash || block.number > (number ?? 0n)
        }, eventually)
        .toBe(true)
    },
  }
}

describe.each(unreadable)('a first node that announces %s', (_, change) => {
  it('every read of the pools succeeds at the blocks of the next node, and the first node is used last', async () => {
    const { chain, doubts, mine, states } = await open()
    lie(change)
    await expect
      .poll(async () => (await chain.pools.getSnapshot(), states()), eventually)
      .toEqual(['unproven', 'healthy'])
    for (let block = 0; block < 3; block += 1) await mine()
    expect(doubts).toEqual([{ subject: 'head', position: 1 }])
    expect(chain.heads.state().error).toBeUndefined()
    await upstreams.reset()
    await expect.poll(states, eventually).toEqual(['healthy', 'healthy'])
  })
})

it('a lone node that announces a block that it does not have: the previous block is served, and health has the error', async () => {
  const { chain } = await open([upstreams.first.url])
  const { block } = await chain.pools.getSnapshot()
  lie(unreadable[0]?.[1] ?? ((same) => same))
  await expect.poll(() => chain.heads.state().error?.code, eventually).toBe('svc/upstream-error')
  expect(await chain.pools.getSnapshot()).toMatchObject({ block: { hash: block.hash } })
  await upstreams.reset()
  await expect.poll(() => chain.heads.state().error, eventually).toBeUndefined()
})

describe('a block whose time is an hour ahead', () => {
  it('the block of the next node counts if the nodes disagree, and the first node is used last', async () => {
    const { chain, doubts, mine, states } = await open()
    const { block } = await chain.pools.getSnapshot()
    lie(inFuture)
    for (let count = 0; count < 3; count += 1) await mine()
    const newest = await chain.pools.getSnapshot()
    expect(newest.block.timestampSeconds - block.timestampSeconds).toBeLessThan(hour)
    expect(doubts).toEqual([{ subject: 'time', position: 1 }])
    expect(states()).toEqual(['unproven', 'healthy'])
  })

  it('a lone node is believed', async () => {
    const { chain, doubts, mine } = await open([upstreams.first.url])
    const { block } = await chain.pools.getSnapshot()
    lie(inFuture)
    await mine()
    const newest = await chain.pools.getSnapshot()
    expect(newest.block.timestampSeconds - block.timestampSeconds).toBeGreaterThanOrEqual(hour)
    expect(doubts).toEqual([])
  })
})

it('a first node over a WebSocket that announces a block that no node can read is used last', async () => {
  const { chain, doubts, mine, states } = await open([socket.url, upstreams.second.url])
  await expect.poll(() => socket.count('eth_subscribe'), eventually).toBeGreaterThan(0)
  const { number, hash, timestamp } = await connectOwner(upstreams.chain).client.getBlock()
  for (let count = 1n; states()[0] === 'healthy' && count < 100n; count += 1n) {
    const announced = { number: numberToHex(number + 1n), timestamp: numberToHex(timestamp), parentHash: hash }
    socket.notify({ ...announced, hash: add(invert(hash), -count) })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await chain.pools.getSnapshot()
  }
  expect(states()[1]).toBe('healthy')
  expect(doubts).toEqual([{ subject: 'head', position: 1 }])
  await mine()
})

// The last test: the chain stays in the future.
it('nodes that agree on a time ahead of the clock are believed, after one comparison', async () => {
  const { client } = connectOwner(upstreams.chain)
  const { chain, doubts, mine, states } = await open()
  await client.increaseTime({ seconds: Number(hour) })
  for (let count = 0; count < 3; count += 1) await mine()
  const { block } = await chain.pools.getSnapshot()
  expect(block.timestampSeconds).toBeGreaterThan(BigInt(Math.floor(Date.now() / 1000)) + hour / 2n)
  expect([doubts, states()]).toEqual([[], ['healthy', 'healthy']])
})

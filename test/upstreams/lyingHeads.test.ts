import { numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { addTo, invert, lieAboutHead, openInUse, type Block } from './openInUse.ts'
import { startUpstreams, type Upstreams } from './startUpstreams.ts'

let upstreams: Upstreams
let socket: Upstreams['socket']
beforeAll(async () => {
  upstreams = await startUpstreams()
  socket = upstreams.socket
})
beforeEach(() => upstreams.reset())
afterAll(() => upstreams?.[Symbol.asyncDispose]())

const unreadable: readonly (readonly [string, (block: Block) => Block])[] = [
  [
    'a future block',
    (block) => ({ ...block, number: addTo(block.number, 1n), hash: invert(block.hash), parentHash: block.hash }),
  ],
  ['the newest block with a wrong hash', (block) => ({ ...block, hash: invert(block.hash) })],
  [
    'a block five ahead',
    ({ number, hash, ...block }) => ({
      ...block,
      number: addTo(number, 5n),
      hash: invert(hash),
      parentHash: invert(hash),
    }),
  ],
  [
    'an earlier block with a wrong hash',
    ({ number, ...block }) => ({ ...block, number: addTo(number, -2n), hash: invert(block.hash) }),
  ],
]

describe.each(unreadable)('a first node that announces %s', (_, change) => {
  it('every read of the pools succeeds at the blocks of the next node, and the first node is used last', async () => {
    const { chain, doubts, mine, states } = await openInUse(upstreams)
    lieAboutHead(upstreams, upstreams.first, change)
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
  const { chain } = await openInUse(upstreams, [upstreams.first.url])
  const { block } = await chain.pools.getSnapshot()
  lieAboutHead(upstreams, upstreams.first, unreadable[0]?.[1] ?? ((same) => same))
  await expect.poll(() => chain.heads.state().error?.code, eventually).toBe('svc/upstream-error')
  expect(await chain.pools.getSnapshot()).toMatchObject({ block: { hash: block.hash } })
  await upstreams.reset()
  await expect.poll(() => chain.heads.state().error, eventually).toBeUndefined()
})

it('a first node over a WebSocket that announces a block that no node can read is used last', async () => {
  const { chain, doubts, mine, states } = await openInUse(upstreams, [socket.url, upstreams.second.url])
  await expect.poll(() => socket.count('eth_subscribe'), eventually).toBeGreaterThan(0)
  const { number, hash, timestamp } = await connectOwner(upstreams.chain).client.getBlock()
  for (let count = 1n; states()[0] === 'healthy' && count < 100n; count += 1n) {
    const announced = { number: numberToHex(number + 1n), timestamp: numberToHex(timestamp), parentHash: hash }
    socket.notify({ ...announced, hash: addTo(invert(hash), -count) })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await chain.pools.getSnapshot()
  }
  expect(states()[1]).toBe('healthy')
  expect(doubts).toEqual([{ subject: 'head', position: 1 }])
  await mine()
})

import { numberToHex } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { headPoll, type Proxy } from '../harness/startProxy.ts'
import { eventually } from '../harness/timeLimits.ts'
import { addTo, invert, lieAboutHead, openInUse, type Block } from './openInUse.ts'
import { useUpstreams } from './startUpstreams.ts'

const upstreams = useUpstreams()
beforeEach(async () => {
  // The newest block is recent.
  await connectOwner(upstreams.chain).client.mine({ blocks: 1 })
})

const three = () => [upstreams.first.url, upstreams.second.url, upstreams.chain.rpcUrl]

// A slow machine must not take the vote of a node.
const slowly = { nodeTimeoutMs: eventually.timeout }

const hour = 3600n
const old = -400n

const datedBy = (seconds: bigint) => (block: Block) => ({ ...block, timestamp: addTo(block.timestamp, seconds) })

/** Changes the first announcement of each block only. */
function changeFirst(change: (block: Block) => Block): (block: Block) => Block {
  const seen = new Set<string>()
  return (block) => {
    if (seen.has(block.hash)) return block
    seen.add(block.hash)
    return change(block)
  }
}

const countPolls = ({ requests }: Proxy) => requests.filter(({ calls }) => calls[0]?.method === headPoll).length

describe('a node that stops at an old block', () => {
  beforeEach(standStill)

  it.each([
    ['HTTP', () => upstreams.first.url],
    ['a WebSocket', () => upstreams.socket.url],
  ])(
    'a preferred node over %s that stops at an old block lags, and the blocks of the other one count',
    async (_, url) => {
      const chain = upstreams.open([url(), upstreams.second.url])
      const states = () => chain.nodes.list().map(({ state }) => state)
      await expect.poll(states, eventually).toEqual(['lagging', 'healthy'])
      const number = await connectOwner(upstreams.chain).client.getBlockNumber({ cacheTime: 0 })
      await expect.poll(() => chain.heads.state().head?.number, eventually).toBe(number)
      expect((await chain.pools.getSnapshot()).block.number).toBe(number)

      upstreams.first.reset()
      upstreams.socket.reset()
      await expect.poll(states, eventually).toEqual(['healthy', 'healthy'])
    },
  )

  it('nodes that agree on an old block do not lag', async () => {
    const { first, open } = upstreams
    const chain = open([first.url, first.url])
    const polls = () => first.requests.filter(({ calls }) => calls.some(({ method }) => method === headPoll)).length
    const before = polls()
    await expect.poll(polls, eventually).toBeGreaterThan(before + 10)
    expect(chain.nodes.list().map(({ state }) => state)).toEqual(['healthy', 'healthy'])
    expect(chain.reports).toEqual([])
  })
})

it.each([
  ['an hour ahead', hour],
  ['400 s back', old],
])('a lone node that announces a time %s of the time in the block is not believed', async (_, seconds) => {
  const { chain } = await openInUse(upstreams, [upstreams.first.url])
  const { block } = await chain.pools.getSnapshot()
  lieAboutHead(upstreams, upstreams.first, datedBy(seconds))
  await connectOwner(upstreams.chain).client.mine({ blocks: 1 })
  await expect.poll(() => chain.heads.state().error?.code, eventually).toBe('svc/upstream-error')
  expect(await chain.pools.getSnapshot()).toMatchObject({ block: { hash: block.hash } })
})

describe('a block whose time is 400 s back', () => {
  it('the block of the next node counts at once, and the first node is used last', async () => {
    const { ages, doubts, mine, states } = await openInUse(upstreams, three(), slowly)
    lieAboutHead(upstreams, upstreams.first, datedBy(old))
    for (let count = 0; count < 3; count += 1) await mine()
    expect(ages()).toEqual(['recent'])
    expect(doubts).toEqual([{ subject: 'head', position: 1 }])
    expect(states()).toEqual(['unproven', 'healthy', 'healthy'])
    // A probe finds the wrong time before the next probe is sent.
    const probes = countPolls(upstreams.first)
    await expect.poll(() => countPolls(upstreams.first), eventually).toBeGreaterThan(probes + 1)
    expect(states()).toEqual(['unproven', 'healthy', 'healthy'])
    await upstreams.reset()
    await expect.poll(states, eventually).toEqual(['healthy', 'healthy', 'healthy'])
  })

  it('no read is old if the node dates each block back at its first announcement only', async () => {
    const { ages, doubts, mine } = await openInUse(upstreams, three(), slowly)
    lieAboutHead(upstreams, upstreams.first, changeFirst(datedBy(old)))
    for (let count = 0; count < 5; count += 1) await mine()
    expect(ages()).toEqual(['recent'])
    expect(doubts).toContainEqual({ subject: 'head', position: 1 })
  })

  it('a node over a WebSocket that announces it is used last', async () => {
    upstreams.socket.setAnswer((method, id) =>
      method === 'eth_subscribe' ? JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }) : undefined,
    )
    const { chain, mine, states } = await openInUse(upstreams, [upstreams.socket.url, ...three().slice(1)], slowly)
    await expect.poll(() => upstreams.socket.count('eth_subscribe'), eventually).toBeGreaterThan(0)
    const { client } = connectOwner(upstreams.chain)
    while (states()[0] === 'healthy') {
      const mined = mine()
      const { number, hash, parentHash, timestamp } = await client.getBlock()
      const announced = { number: numberToHex(number), hash, parentHash, timestamp: numberToHex(timestamp + old) }
      upstreams.socket.notify(announced)
      await mined
    }
    await mine()
    expect(chain.heads.judgeAge((await chain.pools.getSnapshot()).block, Date.now())).toBe('recent')
  })
})

it('a node that announces an old block, and then blocks 40 s ahead, does not make the next node lag', async () => {
  const { chain, doubts, mine } = await openInUse(upstreams, three(), slowly)
  const toSibling = changeFirst((block) => ({ ...datedBy(old)(block), hash: invert(block.hash) }))
  lieAboutHead(upstreams, upstreams.first, (block) => {
    const announced = toSibling(block)
    return announced === block ? datedBy(40n)(block) : announced
  })
  await expect.poll(() => doubts, eventually).toContainEqual({ subject: 'head', position: 1 })
  for (let count = 0; count < 3; count += 1) await mine()
  expect(chain.reports.filter(({ position }) => position === 2)).toEqual([])
})

// The last test: the chain stays in the future.
it('nodes that agree on a time ahead of the clock are believed', async () => {
  const { client } = connectOwner(upstreams.chain)
  const { chain, doubts, mine, states } = await openInUse(upstreams)
  await client.increaseTime({ seconds: Number(hour) })
  for (let count = 0; count < 3; count += 1) await mine()
  const { block } = await chain.pools.getSnapshot()
  expect(block.timestampSeconds).toBeGreaterThan(BigInt(Math.floor(Date.now() / 1000)) + hour / 2n)
  expect([doubts, states()]).toEqual([[], ['healthy', 'healthy']])
})

/** Makes the preferred nodes answer the newest block with one of an hour ago. */
function standStill(): void {
  const timestamp = `0x${(Math.floor(Date.now() / 1000) - 3600).toString(16)}`
  const result = { number: '0x1', hash: `0x${'a1'.repeat(32)}`, parentHash: `0x${'a0'.repeat(32)}`, timestamp }
  upstreams.answerCalls(upstreams.first, async (call, callNode) =>
    call.method === headPoll ? { id: call.id, result } : await callNode(call),
  )
  upstreams.socket.setAnswer((method, id) =>
    method === headPoll ? JSON.stringify({ jsonrpc: '2.0', id, result }) : undefined,
  )
}

import { numberToHex } from 'viem'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
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

describe('a block whose time is an hour ahead', () => {
  it('a lone node is believed', async () => {
    const { chain, doubts, mine } = await openInUse(upstreams, [upstreams.first.url])
    const { block } = await chain.pools.getSnapshot()
    lieAboutHead(upstreams, upstreams.first, datedBy(hour))
    await mine()
    const newest = await chain.pools.getSnapshot()
    expect(newest.block.timestampSeconds - block.timestampSeconds).toBeGreaterThanOrEqual(hour)
    expect(doubts).toEqual([])
  })
})

describe('a block whose time is 400 s back', () => {
  it('the block of the next node counts at once, and the first node is used last', async () => {
    const { ages, doubts, mine, states } = await openInUse(upstreams, three())
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
    const { ages, doubts, mine } = await openInUse(upstreams, three())
    lieAboutHead(upstreams, upstreams.first, changeFirst(datedBy(old)))
    for (let count = 0; count < 5; count += 1) await mine()
    expect(ages()).toEqual(['recent'])
    expect(doubts).toContainEqual({ subject: 'head', position: 1 })
  })

  it('a node over a WebSocket that announces it is used last', async () => {
    upstreams.socket.setAnswer((method, id) =>
      method === 'eth_subscribe' ? JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }) : undefined,
    )
    const { chain, mine, states } = await openInUse(upstreams, [upstreams.socket.url, ...three().slice(1)])
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

  it('a lone node is believed', async () => {
    const { ages, doubts, mine } = await openInUse(upstreams, [upstreams.first.url])
    lieAboutHead(upstreams, upstreams.first, datedBy(old))
    await mine()
    expect([ages().at(-1), doubts]).toEqual(['old', []])
  })
})

it('a node that announces an old block, and then blocks 40 s ahead, does not make the next node lag', async () => {
  const { chain, doubts, mine } = await openInUse(upstreams, three())
  const toSibling = changeFirst((block) => ({ ...datedBy(old)(block), hash: invert(block.hash) }))
  lieAboutHead(upstreams, upstreams.first, (block) => {
    const announced = toSibling(block)
    return announced === block ? datedBy(40n)(block) : announced
  })
  await expect.poll(() => doubts, eventually).toContainEqual({ subject: 'head', position: 1 })
  for (let count = 0; count < 3; count += 1) await mine()
  expect(chain.reports.filter(({ position }) => position === 2)).toEqual([])
})

it('a first node that was unreachable is preferred again, also if the next node announces blocks 40 s ahead', async () => {
  const { client } = connectOwner(upstreams.chain)
  const { chain, mine, states } = await openInUse(upstreams)
  lieAboutHead(upstreams, upstreams.second, datedBy(40n))
  await upstreams.first.close()
  onTestFinished(() => upstreams.first.reopen())
  await expect.poll(async () => (await chain.read(), states()[0]), eventually).toBe('unavailable')
  await mine()
  const { hash, timestamp } = await client.getBlock()
  expect(chain.heads.state().head).toMatchObject({ hash, timestampSeconds: timestamp + 40n })
  await upstreams.first.reopen()
  await expect.poll(states, eventually).toEqual(['healthy', 'healthy'])
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

import type { Chain } from '@agio/chain'
import { numberToHex } from 'viem'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { NodeCall, NodeReply } from '../harness/answerEachCall.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { sendTransaction } from '../harness/writeContract.ts'
import { addTo, invert, lieAboutHead, openInUse, type Block } from './openInUse.ts'
import { anyAccount, codeOf, useUpstreams, type OpenedChain } from './startUpstreams.ts'

const upstreams = useUpstreams()

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

/**
 * Makes the first node announce another hash at each read, and the second node answer only after the next such read, as long as
 * the first one is preferred.
 */
function announceInvented(findChain: () => OpenedChain): void {
  let announced = 0n
  lieAboutHead(upstreams, upstreams.first, ({ hash, ...block }) => {
    announced += 1n
    return { ...block, hash: invert(hash, announced) }
  })
  const answerLate = async (call: NodeCall, callNode: (call: NodeCall) => Promise<NodeReply>) => {
    const earlier = announced
    const isPreferred = () => findChain().nodes.list()[0]?.state !== 'unproven'
    if (call.params?.[0] === 'latest') await vi.waitUntil(() => announced > earlier || !isPreferred(), eventually)
    return await callNode(call)
  }
  upstreams.answerCalls(upstreams.second, answerLate)
}

const readAtOnce = (chain: Chain) => Promise.all([1, 2, 3].map(async () => await chain.pools.getSnapshot()))

describe('a first node that announces another invented block at each read', () => {
  it('the first reads of the pools succeed', async () => {
    announceInvented(() => chain)
    const chain: OpenedChain = upstreams.open()
    for (let count = 0; count < 3; count += 1) await readAtOnce(chain)
  })

  it('the reads of an idle chain succeed', async () => {
    const { chain } = await openInUse(upstreams)
    const { now } = performance
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 31_000)
    onTestFinished(() => clock.mockRestore())
    await connectOwner(upstreams.chain).client.mine({ blocks: 1 })
    const { hash } = await connectOwner(upstreams.chain).client.getBlock()
    announceInvented(() => chain)
    await expect.poll(() => chain.heads.state().head?.hash, eventually).toMatch(invert(hash).slice(0, 60))
    for (let count = 0; count < 3; count += 1) await readAtOnce(chain)
  })
})

describe('a first node that announces true blocks with other numbers', () => {
  const lie = (block: Block): Block => ({ ...block, number: addTo(block.number, 100_000n) })

  it('a new transaction is not final by depth, even if the first node announces a number far ahead', async () => {
    const { chain } = await openInUse(upstreams)
    answerWithoutTags((block) => block)
    const { client } = connectOwner(upstreams.chain)
    const { transactionHash: hash } = await sendTransaction(client, { to: anyAccount, value: 1n })
    expect(await chain.transactions.track({ hash })).toMatchObject({ state: { finality: 'included' } })
    answerWithoutTags(lie)
    await client.mine({ blocks: 1 })
    expect(await chain.transactions.track({ hash })).toMatchObject({ state: { finality: 'included' } })
    await client.mine({ blocks: 1000 })
    expect(await chain.transactions.track({ hash })).toMatchObject({ state: { finality: 'finalized', witnesses: 2 } })
  })

  /** Makes both nodes have no tags, and the first node announce another block. */
  function answerWithoutTags(change: (block: Block) => Block): void {
    const answer = (isFirst: boolean) => async (call: NodeCall, callNode: (call: NodeCall) => Promise<NodeReply>) => {
      const [tag] = call.params ?? []
      if (tag === 'safe' || tag === 'finalized') return { id: call.id, result: null }
      const reply = await callNode(call)
      return isFirst && tag === 'latest' ? { ...reply, result: change(reply.result as Block) } : reply
    }
    upstreams.answerCalls(upstreams.first, answer(true))
    upstreams.answerCalls(upstreams.second, answer(false))
  }
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
  const { chain, doubts, mine, states } = await openInUse(upstreams, [upstreams.socket.url, upstreams.second.url])
  await expect.poll(() => upstreams.socket.count('eth_subscribe'), eventually).toBeGreaterThan(0)
  const { number, hash, timestamp } = await connectOwner(upstreams.chain).client.getBlock()
  // On a busy machine the node may also lag for a moment.
  const isDoubted = () => doubts.length > 0 && states()[0] !== 'healthy'
  let count = 0n
  const notify = async () => {
    const announced = { number: numberToHex(number + 1n), timestamp: numberToHex(timestamp), parentHash: hash }
    upstreams.socket.notify({ ...announced, hash: invert(hash, (count += 1n)) })
    await chain.pools.getSnapshot()
    return isDoubted()
  }
  await vi.waitUntil(notify, eventually)
  expect(states()[1]).toBe('healthy')
  expect(doubts).toEqual([{ subject: 'head', position: 1 }])
  await mine()
})

it('a node that answers calls from an older block than asked prices nothing, and the next node is asked', async () => {
  const { client } = connectOwner(upstreams.chain)
  await client.mine({ blocks: 10, interval: 2 })
  const { chain, mine } = await openInUse(upstreams)
  const findPricings = async () => {
    await mine()
    return new Set((await chain.pools.getSnapshot()).pools.map(({ pricing }) => pricing))
  }
  await expect.poll(findPricings, eventually).toEqual(new Set(['local']))
  const older = numberToHex((await client.getBlockNumber({ cacheTime: 0 })) - 5n)
  upstreams.answerCalls(upstreams.first, async (call, callNode) => {
    const [request, block, ...others] = call.params ?? []
    const isAtHash = call.method === 'eth_call' && typeof block === 'object'
    return await callNode(isAtHash ? { ...call, params: [request, older, ...others] } : call)
  })
  await mine()
  const expected = await upstreams.open([upstreams.second.url]).pools.getSnapshot()
  const { block, pools } = await chain.pools.getSnapshot()
  expect(block.hash).toBe(expected.block.hash)
  expect(pools).toEqual(expected.pools)
  expect(await codeOf(Promise.resolve(upstreams.open([upstreams.first.url]).pools.getSnapshot()))).toBe(
    'svc/upstream-error',
  )
})

import type { LocalChain } from '@agio/localnet'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { setPrice } from '../harness/movePrice.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { startTestForks, takeChainSnapshot } from '../harness/startTestLocalnet.ts'
import { eventually } from '../harness/timeLimits.ts'
import { addTo, isHeadRead, lieAboutHead, openInUse, type Block } from './openInUse.ts'
import { useUpstreams } from './startUpstreams.ts'

const upstreams = useUpstreams()
const starting = new AsyncDisposableStack()
/** A chain with the same id, contracts and first blocks, and with other prices. */
let fork: LocalChain
let restores: (() => Promise<void>)[] = []
beforeAll(async () => {
  fork = starting.use(await startTestForks(upstreams.localnet)).chains[84532]
  restores = await Promise.all([upstreams.chain, fork].map(takeChainSnapshot))
})
beforeEach(async () => {
  await Promise.all(restores.map((restore) => restore()))
  await setPrice(fork, 'tAUD', 1n)
  for (const chain of [upstreams.chain, fork]) await mine(chain, 9)
})
afterAll(() => starting.disposeAsync())

const mine = (chain: LocalChain, blocks: number) => connectOwner(chain).client.mine({ blocks, interval: 0 })
const three = () => [upstreams.first.url, upstreams.second.url, upstreams.chain.rpcUrl]
const twoOf = (proxies: readonly Proxy[]) => proxies.map(({ url }) => url)

/** Makes a node answer with an earlier block than its newest one. */
function lagBy(proxy: Proxy, blocks: bigint, change = (block: Block) => block): void {
  upstreams.answerCalls(proxy, async (call, callNode) => {
    const reply = await callNode(call)
    if (!isHeadRead(call)) return reply
    const earlier = await callNode({ ...call, params: [addTo((reply.result as Block).number, -blocks), false] })
    return { ...reply, result: change(earlier.result as Block) }
  })
}

/** Opens the chain, and returns whether every snapshot so far is of the true chain. */
async function open(urls: readonly string[] = three(), settings: Parameters<typeof openInUse>[2] = {}) {
  const opened = await openInUse(upstreams, urls, { nodeTimeoutMs: eventually.timeout, ...settings })
  const { client } = connectOwner(upstreams.chain)
  return {
    ...opened,
    async isTrue(): Promise<boolean> {
      const { hash } = (await opened.chain.pools.getSnapshot()).block
      return await client.getBlock({ blockHash: hash }).then(
        () => true,
        () => false,
      )
    },
  }
}

describe('of three nodes, one that follows another chain', () => {
  it.each([
    ['first', 0],
    ['second', 1],
  ] as const)('is left alone if it is the %s, no block of its chain is served, and it comes back', async (_, index) => {
    const { doubts, isTrue, mine: mineTrue, states } = await open()
    const proxy = [upstreams.first, upstreams.second][index]
    proxy?.setUpstream(fork.rpcUrl)
    for (let block = 0; block < 3; block += 1) {
      await mine(fork, 2)
      await mineTrue()
      expect(await isTrue()).toBe(true)
    }
    await expect.poll(() => states()[index], eventually).toBe('unproven')
    expect(doubts).toEqual([{ subject: 'head', position: index + 1 }])
    proxy?.setUpstream(upstreams.chain.rpcUrl)
    await expect.poll(async () => (await mineTrue(), states()), eventually).toEqual(['healthy', 'healthy', 'healthy'])
  })

  it('is not believed if it is the first one at the start', async () => {
    upstreams.first.setUpstream(fork.rpcUrl)
    const { isTrue, states } = await open()
    expect(await isTrue()).toBe(true)
    await expect.poll(() => states()[0], eventually).toBe('unproven')
  })

  it('no block of its chain is served while it flips between two chains', async () => {
    const { isTrue, mine: mineTrue } = await open()
    for (const { rpcUrl } of [fork, upstreams.chain, fork, upstreams.chain, fork]) {
      upstreams.first.setUpstream(rpcUrl)
      await mine(fork, 1)
      await mineTrue()
      expect(await isTrue()).toBe(true)
    }
  })

  it('is not believed because of a third node that has only blocks before the chains part', async () => {
    const urls = [upstreams.first.url, upstreams.chain.rpcUrl, upstreams.second.url]
    const { chain, isTrue, states } = await open(urls)
    lagBy(upstreams.second, 20n)
    upstreams.first.setUpstream(fork.rpcUrl)
    await mine(fork, 2)
    await mine(upstreams.chain, 1)
    await expect.poll(() => chain.nodes.isSuspect(), eventually).toBe(true)
    expect([await isTrue(), states()[1]]).toEqual([true, 'healthy'])
    upstreams.second.reset()
    await expect.poll(async () => (await isTrue(), states()), eventually).toEqual(['unproven', 'healthy', 'healthy'])
    expect(await isTrue()).toBe(true)
  })

  it('is left alone if only the time of its block is wrong and the third node has the next block already', async () => {
    const { doubts, states, isTrue } = await open()
    lagBy(upstreams.first, 1n, (block) => ({ ...block, timestamp: addTo(block.timestamp, 40n) }))
    lagBy(upstreams.second, 1n)
    await mine(upstreams.chain, 2)
    await expect.poll(async () => (await isTrue(), states()), eventually).toEqual(['unproven', 'healthy', 'healthy'])
    expect(doubts).toEqual([{ subject: 'head', position: 1 }])
  })

  it('is left alone if its blocks are of another number', async () => {
    const { chain, isTrue, mine: mineTrue, states } = await open()
    lieAboutHead(upstreams, upstreams.first, (block) => ({ ...block, number: addTo(block.number, 5n) }))
    for (let block = 0; block < 3; block += 1) await mineTrue()
    const { timestamp } = await connectOwner(upstreams.chain).client.getBlock()
    expect((await chain.pools.getSnapshot()).block.timestampSeconds).toBe(timestamp)
    expect([await isTrue(), states()[0]]).toEqual([true, 'unproven'])
  })
})

it.each([
  ['first', 1],
  ['second', 2],
])(
  'two of three nodes that follow the same wrong chain are believed, and the %s is left alone until they agree',
  async (_, position) => {
    const wrong = [upstreams.first, upstreams.second]
    const urls = twoOf(wrong).toSpliced(position - 1, 0, upstreams.chain.rpcUrl)
    const { chain, doubts, isTrue, mine: mineTrue, states } = await open(urls)
    for (const proxy of wrong) proxy.setUpstream(fork.rpcUrl)
    await Promise.all([mine(fork, 2), mine(upstreams.chain, 3)])
    await expect.poll(isTrue, eventually).toBe(false)
    const leftAlone = ['healthy', 'healthy'].toSpliced(position - 1, 0, 'unproven')
    await expect.poll(states, eventually).toEqual(leftAlone)
    expect([doubts, chain.nodes.isSuspect()]).toEqual([[{ subject: 'head', position }], false])
    for (const proxy of wrong) proxy.setUpstream(upstreams.chain.rpcUrl)
    await expect.poll(async () => (await mineTrue(), states()), eventually).toEqual(['healthy', 'healthy', 'healthy'])
    expect(await isTrue()).toBe(true)
  },
)

describe('two nodes that contradict each other', () => {
  it('are suspect, the last block that they agreed on is served, and quotes stop if they shall', async () => {
    const urls = twoOf([upstreams.first, upstreams.second])
    const { chain, isTrue } = await open(urls, { stopsOnDisagreement: true })
    upstreams.first.setUpstream(fork.rpcUrl)
    await mine(fork, 2)
    await expect.poll(() => chain.nodes.isSuspect(), eventually).toBe(true)
    expect(chain.nodes.isUnconfirmed()).toBe(true)
    expect(() => chain.nodes.assertAgreed()).toThrow('disagree')
    expect(await isTrue()).toBe(true)
  })

  it('do not contradict each other by a reorganisation of two blocks', async () => {
    const { client } = connectOwner(upstreams.chain)
    const { doubts, mine: mineTrue } = await open()
    const snapshot = await client.snapshot()
    await mineTrue()
    await client.revert({ id: snapshot })
    await client.setNextBlockTimestamp({ timestamp: (await client.getBlock()).timestamp + 7n })
    for (let block = 0; block < 3; block += 1) await mineTrue()
    expect(doubts).toEqual([])
  })
})

describe('a second node that', () => {
  it.each([
    ['the service sees each block', 1],
    ['the service sees each hundredth block, as four a second after a standstill', 100],
    ['10,000 blocks pass between two reads', 10_000],
  ])('lags by some blocks confirms by an ancestor, if %s', async (_, blocks) => {
    const { chain, doubts, mine: mineTrue, states } = await open(twoOf([upstreams.first, upstreams.second]))
    lagBy(upstreams.second, 5n)
    for (let read = 0; read < 3; read += 1) {
      if (blocks > 1) await mine(upstreams.chain, blocks - 1)
      await mineTrue()
    }
    expect([doubts, states(), chain.nodes.isUnconfirmed()]).toEqual([[], ['healthy', 'healthy'], false])
  })

  it.each([
    ['is down', () => upstreams.second.close()],
    [
      'denies everything',
      async () =>
        upstreams.answerCalls(upstreams.second, async ({ id }) => ({ id, error: { code: -32601, message: 'no' } })),
    ],
  ])('%s has no vote, and the first node is believed', async (_, fail) => {
    const { chain, doubts, isTrue, mine: mineTrue } = await open(twoOf([upstreams.first, upstreams.second]))
    await fail()
    for (let block = 0; block < 3; block += 1) await mineTrue()
    expect([doubts, await isTrue(), chain.nodes.isUnconfirmed()]).toEqual([[], true, true])
  })
})

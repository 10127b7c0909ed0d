import type { LocalChain } from '@agio/localnet'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { setPrice } from '../harness/movePrice.ts'
import { startTestForks, takeChainSnapshot } from '../harness/startTestLocalnet.ts'
import { eventually } from '../harness/timeLimits.ts'
import { openInUse } from './openInUse.ts'
import { useUpstreams } from './startUpstreams.ts'

const upstreams = useUpstreams()
const starting = new AsyncDisposableStack()
/** A fork of the chain with its own blocks. */
let fork: LocalChain
let restores: (() => Promise<void>)[] = []
beforeAll(async () => {
  fork = starting.use(await startTestForks(upstreams.localnet)).chains[84532]
  restores = await Promise.all([upstreams.chain, fork].map(takeChainSnapshot))
})
beforeEach(() => Promise.all(restores.map((restore) => restore())))
afterAll(() => starting.disposeAsync())

/** Mines the same number of blocks on the chain and on the fork, which has another price. */
async function mineBoth(blocks: number): Promise<void> {
  await setPrice(fork, 'tAUD', 1n)
  for (const chain of [upstreams.chain, fork]) await connectOwner(chain).client.mine({ blocks, interval: 0 })
}

/** Compares every read of the pools between the nodes of both chains. */
async function open(first: LocalChain, second: LocalChain) {
  const proxies = [upstreams.first, upstreams.second]
  const sent = proxies.map(({ requests }) => requests.length)
  upstreams.first.setUpstream(first.rpcUrl)
  upstreams.second.setUpstream(second.rpcUrl)
  const opened = await openInUse(upstreams, undefined, { random: () => 0, stopsOnDisagreement: true })
  /** Returns how many blocks by number each node was asked for. */
  const countCompared = () =>
    proxies.map(({ requests }, index) => requests.slice(sent[index]).filter(({ body }) => byNumber.test(body)).length)
  return { ...opened, countCompared }
}

const byNumber = /"eth_getBlockByNumber","params":\["0x/

it('a first node that mines its own chain: the nodes are suspect eight blocks after the fork, and quotes stop if they shall', async () => {
  await mineBoth(9)
  const { chain, doubts } = await open(fork, upstreams.chain)
  const disagreement = [1, 2].map((position) => ({ subject: 'state', position }))
  await expect.poll(() => doubts, eventually).toEqual(expect.arrayContaining(disagreement))
  expect(chain.nodes.isSuspect()).toBe(true)
  expect(() => chain.nodes.assertAgreed()).toThrow('disagree')
})

it('a fork of less than eight blocks is a reorganisation, and no disagreement', async () => {
  const { doubts, countCompared } = await open(fork, upstreams.chain)
  await expect.poll(countCompared, eventually).toEqual([1, 1])
  expect(doubts).toEqual([])
})

it('a second node that is behind does not disagree', async () => {
  await connectOwner(upstreams.chain).client.mine({ blocks: 20, interval: 0 })
  const { doubts, countCompared } = await open(upstreams.chain, fork)
  await expect.poll(countCompared, eventually).toEqual([1, 1])
  expect(doubts).toEqual([])
})

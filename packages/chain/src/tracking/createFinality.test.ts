import { numberToHex, pad } from 'viem'
import { expect, it } from 'vitest'
import type { Head } from '../head/Head.ts'
import type { NodeState, UpstreamNode } from '../health/UpstreamNode.ts'
import { createFinality, judgeFinality } from './createFinality.ts'

const depth = 900n

const toHead = (number: bigint): Head => ({
  number,
  hash: pad(numberToHex(number), { size: 32 }),
  timestampSeconds: number,
})

/** Reads the finality over nodes without tags. A node without a newest block does not answer. */
function setUp(...newest: (bigint | undefined)[]) {
  let nowMs = 0
  let requests = 0
  const states: NodeState[] = newest.map(() => 'healthy')
  const nodes = newest.map((_, index) => ({
    state: () => states[index],
    isUsable: () => states[index] !== 'unavailable',
    async read() {
      requests += 1
      const number = newest[index]
      if (number === undefined) throw new Error('The node does not answer')
      const { hash } = toHead(number)
      return { number: numberToHex(number), hash, timestamp: numberToHex(number) }
    },
  })) as unknown as readonly UpstreamNode[]
  const client = { request: async () => null } as unknown as Parameters<
    ReturnType<typeof createFinality>['read']
  >[0]['client']
  const finality = createFinality({ chainId: 84532, rpc: { client, nodes }, now: () => nowMs })
  return {
    states,
    newest,
    requests: () => requests,
    wait: (ms: number) => (nowMs += ms),
    /** Returns the last final block, if the first node announces a newest block. */
    async read(number: bigint) {
      const { finalized } = await finality.read({ client }, toHead(number))
      return finalized.lastNumber
    },
  }
}

it('a block is final by depth only below the newest blocks of two nodes, even if another node announces a later block', async () => {
  expect(await setUp(100_000n, 1000n).read(100_000n)).toBe(1000n - depth)
  expect(await setUp(100_000n, 1000n, 990n).read(100_000n)).toBe(1000n - depth)
  expect(await setUp(1000n, 2000n, 2000n).read(1000n)).toBe(1000n - depth)
})

it('a lone node is believed without another request, and so is the only node that takes requests', async () => {
  const lone = setUp(1000n)
  expect([await lone.read(1000n), lone.requests()]).toEqual([1000n - depth, 0])
  const { states, read } = setUp(1000n, 900n)
  states[1] = 'unavailable'
  expect(await read(1000n)).toBe(1000n - depth)
})

it('a node that does not answer counts with its last answer', async () => {
  const { newest, read } = setUp(2000n, 1000n)
  expect(await read(2000n)).toBe(1000n - depth)
  newest[1] = undefined
  expect(await read(2001n)).toBe(1000n - depth)
})

it('without an answer of a second node, no block is final by depth for ten minutes', async () => {
  const { read, wait } = setUp(2000n, undefined)
  expect(await read(2000n)).toBe(-1n)
  wait(599_999)
  expect(await read(2001n)).toBe(-1n)
  wait(1)
  expect(await read(2002n)).toBe(2000n - depth)
})

it('a node that lags at the same block for ten minutes has no vote', async () => {
  const { states, read, wait } = setUp(2000n, 1000n)
  await read(2000n)
  wait(600_000)
  expect(await read(2001n)).toBe(1000n - depth)
  states[1] = 'lagging'
  expect(await read(2002n)).toBe(2000n - depth)
})

it('the newest blocks of the nodes are read once per block', async () => {
  const { read, requests } = setUp(1000n, 1000n)
  await Promise.all([read(1000n), read(1000n)])
  expect(requests()).toBe(2)
})

it('a receipt that is newer than the last known head has one confirmation, its own block', () => {
  const finalized = { by: 'tag', head: toHead(30n), lastNumber: 30n } as const
  const heads = { latest: toHead(40n), safe: finalized, finalized }
  expect(judgeFinality(heads, 40n).confirmations).toEqual({ count: 1n, required: 11n })
  expect(judgeFinality(heads, 41n).confirmations).toEqual({ count: 1n, required: 12n })
})

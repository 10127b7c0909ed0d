import { expect, it } from 'vitest'
import type { Head } from '../head/Head.ts'
import type { Doubt } from '../health/createDoubts.ts'
import type { NodeState, UpstreamNode } from '../health/UpstreamNode.ts'
import { createHeadCheck } from './createHeadCheck.ts'

const nowSeconds = 1_000_000
const maxAgeSeconds = 300

/** Returns a block that is ahead of the wall clock by some seconds, or old if they are negative. */
const headOf = (number: bigint, aheadSeconds: number): Head => ({
  number,
  hash: `0x${number.toString(16).padStart(64, '0')}`,
  timestampSeconds: BigInt(nowSeconds + aheadSeconds),
})

/** Creates the check of the blocks of a first node. `other` is the newest block of the second node. */
function start({ nodeCount = 2 } = {}) {
  const doubts: Doubt[] = []
  let [other, newest]: (Head | undefined)[] = []
  let [state, requests]: [NodeState, number] = ['healthy', 0]
  const node = {
    position: 1,
    state: () => state,
    setLagging: () => void (state = 'lagging'),
    recordHead: ({ doubt }) => void (state = doubt ? 'unproven' : state),
  } satisfies Partial<UpstreamNode> as unknown as UpstreamNode
  const check = createHeadCheck({
    rpc: {
      nodes: Array.from({ length: nodeCount }, () => node),
      announcers: { find: () => node, remember: (head) => head, readHead: () => Promise.reject(new Error('unused')) },
      async readOtherHead() {
        requests += 1
        if (!other) throw new Error('the other node does not answer')
        return other
      },
    },
    doubts: { add: (doubt) => void doubts.push(doubt) },
    findHead: () => newest,
    isOld: ({ timestampSeconds }) => nowSeconds - Number(timestampSeconds) > maxAgeSeconds,
    wallMs: () => nowSeconds * 1000,
  })
  return {
    doubts,
    state: () => state,
    requests: () => requests,
    setOther: (head: Head | undefined) => (other = head),
    /** Takes a block of the first node, and keeps the block that counts. */
    take: async (head: Head) => (newest = await check.check(head)),
  }
}

it.each([
  ['old', -400, 0],
  ['ahead', 3600, 0],
  ['older than the old block of the second node', -4000, -400],
])('a block that is %s is replaced, and its node is doubted', async (_, first, second) => {
  const { take, setOther, doubts, state } = start()
  setOther(headOf(2n, second))
  expect(await take(headOf(2n, first))).toEqual(headOf(2n, second))
  expect([doubts, state()]).toEqual([[{ subject: 'time', position: 1 }], 'unproven'])
})

it('a node whose old block is before the block of another node lags, and is not doubted', async () => {
  const { take, setOther, doubts, state } = start()
  setOther(headOf(9n, 0))
  expect(await take(headOf(2n, -400))).toEqual(headOf(9n, 0))
  expect([doubts, state()]).toEqual([[], 'lagging'])
})

it('an old block is not replaced by a block that is far ahead of the wall clock', async () => {
  const { take, setOther, doubts } = start()
  setOther(headOf(2n, 3600))
  expect(await take(headOf(2n, -400))).toEqual(headOf(2n, -400))
  expect(doubts).toEqual([])
})

it('a recent block, the newest block and the blocks of a lone node are not compared', async () => {
  const { take, setOther, requests } = start()
  setOther(headOf(1n, 0))
  await take(headOf(1n, 0))
  // The chain stands still.
  for (let count = 0; count < 3; count += 1) expect(await take(headOf(1n, -400))).toEqual(headOf(1n, -400))
  const lone = start({ nodeCount: 1 })
  for (const ahead of [-400, 3600]) await lone.take(headOf(2n, ahead))
  expect([requests(), lone.requests()]).toEqual([0, 0])
})

it('each new old block is compared until the other node answers and agrees', async () => {
  const { take, setOther, requests } = start()
  for (const number of [1n, 2n, 2n]) await take(headOf(number, -400))
  expect(requests()).toBe(2)
  setOther(headOf(3n, -400))
  for (const number of [3n, 4n, 5n]) await take(headOf(number, -400))
  expect(requests()).toBe(3)
})

it('an agreement on old blocks holds until a block is more than a minute older, or recent', async () => {
  const { take, setOther, requests, doubts } = start()
  setOther(headOf(1n, -400))
  await take(headOf(1n, -400))
  await take(headOf(2n, -460))
  expect(requests()).toBe(1)
  await take(headOf(3n, -461))
  expect([requests(), doubts.length]).toEqual([2, 1])
  await take(headOf(4n, 0))
  setOther(headOf(5n, 0))
  expect(await take(headOf(5n, -400))).toEqual(headOf(5n, 0))
})

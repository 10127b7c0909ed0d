import { numberToHex, pad, type Hex } from 'viem'
import { expect, it } from 'vitest'
import type { Head } from '../head/Head.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import { createAnnouncers } from './createAnnouncers.ts'
import { createHeadCheck } from './createHeadCheck.ts'

const lie = 100_000n

const toHash = (number: bigint): Hex => pad(numberToHex(number), { size: 32 })

/** A block every two seconds, with a number that may be wrong. */
const headOf = (number: bigint, added = 0n): Head => ({
  number: number + added,
  hash: toHash(number),
  parentHash: toHash(number - 1n),
  timestampSeconds: number * 2n,
})

/** Creates the check of the heads of a first node. The second node has the blocks up to a number, or does not answer. */
function start({ nodeCount = 2 } = {}) {
  const doubted: number[] = []
  const announcers = createAnnouncers()
  let newest: Head | undefined
  let [reach, added, requests]: [bigint | undefined, bigint, number] = [1_000_000n, 0n, 0]
  const nodes = Array.from({ length: nodeCount }, (_, index) => ({
    position: index + 1,
    isUsable: () => true,
    state: () => 'healthy',
    recordHead: () => void doubted.push(index + 1),
    async read({ request }: { readonly request: { readonly params: readonly [Hex] } }) {
      requests += 1
      const number = BigInt(request.params[0])
      if (reach === undefined) throw new Error('The node does not answer')
      if (number > reach) return null
      const block = { hash: toHash(number), timestamp: numberToHex(number * 2n) }
      return { ...block, number: numberToHex(number + added) }
    },
  })) as unknown as readonly UpstreamNode[]
  const check = createHeadCheck({
    rpc: { nodes, announcers, readOtherHead: () => Promise.reject(new Error('The times are not doubtful')) },
    doubts: { add: () => {} },
    findHead: () => newest,
    isOld: () => false,
    wallMs: () => 10_000_000_000,
  })
  return {
    doubted,
    requests: () => requests,
    isDoubtful: check.isDoubtful,
    setOther: (next: { readonly reach?: bigint | undefined; readonly added?: bigint }) =>
      ([reach, added] = ['reach' in next ? next.reach : reach, next.added ?? added]),
    /** Takes a head of the first node, and returns its number. */
    async take(head: Head): Promise<bigint> {
      newest = await check.check(announcers.remember(head, nodes[0] as UpstreamNode))
      return newest.number
    },
  }
}

it.each([5n, lie, -5n])(
  'a head whose number is off by %i gets the number that follows from its parent',
  async (added) => {
    const { take, doubted, isDoubtful } = start()
    await take(headOf(10n))
    expect(isDoubtful(headOf(11n, added))).toBe(true)
    expect(await take(headOf(11n, added))).toBe(11n)
    expect(await take(headOf(12n, added))).toBe(12n)
    expect(doubted).toEqual([1, 1])
  },
)

it('a jump that the time of the block does not explain is compared by the parent of the head', async () => {
  const { take, doubted, requests } = start()
  await take(headOf(10n))
  expect(await take(headOf(40n))).toBe(40n)
  expect(requests()).toBe(0)
  expect(await take(headOf(42n, lie))).toBe(42n)
  expect([requests(), doubted]).toEqual([1, [1]])
})

it('heads that follow, the same head again and the heads of a lone node send no request', async () => {
  const { take, requests } = start()
  for (const number of [10n, 11n, 11n, 13n, 12n, 13n, 30n]) await take(headOf(number))
  const lone = start({ nodeCount: 1 })
  for (const added of [0n, lie, 0n]) await lone.take(headOf(10n, added))
  expect(await lone.take(headOf(11n, lie))).toBe(11n + lie)
  expect([requests(), lone.requests()]).toEqual([0, 0])
})

it('a number on which two nodes agree is believed, although it does not follow', async () => {
  const { take, doubted, requests } = start()
  await take(headOf(10n, lie))
  for (const number of [11n, 12n]) expect(await take(headOf(number))).toBe(number)
  expect([requests(), doubted]).toEqual([1, []])
})

it('another node that contradicts the known blocks is not believed', async () => {
  const { take, setOther, doubted } = start()
  await take(headOf(10n))
  setOther({ added: 2n * lie })
  expect(await take(headOf(11n, lie))).toBe(11n + lie)
  expect(doubted).toEqual([])
})

it.each([{ reach: 5n }, { reach: undefined }])(
  '%o: each head is compared until another node has its parent',
  async (other) => {
    const { take, setOther, doubted } = start()
    await take(headOf(10n))
    setOther(other)
    expect(await take(headOf(11n, lie))).toBe(11n + lie)
    setOther({ reach: 11n })
    expect(await take(headOf(12n, lie))).toBe(12n)
    expect(doubted).toEqual([1])
  },
)

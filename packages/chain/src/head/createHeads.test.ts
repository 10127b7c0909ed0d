import { describe, expect, it, onTestFinished } from 'vitest'
import { headOf } from '../../test/startHeads.ts'
import { createHeads } from './createHeads.ts'
import type { Head } from './Head.ts'

function start(read: () => Promise<Head>, now: () => number) {
  const heads = createHeads({ read, maxAgeMs: 10_000, now })
  onTestFinished(() => heads.stop())
  return heads
}

it('a head is used up to its maximum age, and not a millisecond longer', async () => {
  let [reads, nowMs] = [0, 0]
  const heads = start(
    () => Promise.resolve(headOf(BigInt(++reads))),
    () => nowMs,
  )
  await heads.get()
  nowMs = 10_000
  expect(await heads.get()).toEqual(headOf(1n))
  nowMs = 10_001
  expect(await heads.get()).toEqual(headOf(2n))
})

it('concurrent calls share one read of the newest block', async () => {
  let reads = 0
  const heads = start(
    () => Promise.resolve(headOf(BigInt(++reads))),
    () => 0,
  )
  const found = await Promise.all([heads.get(), heads.get(), heads.refresh()])
  expect(found).toEqual([headOf(1n), headOf(1n), headOf(1n)])
})

it('new heads are prefetched for half a minute after the last use, and the head of an idle chain at its next use', async () => {
  let [number, nowMs] = [1n, 0]
  const prefetched: bigint[] = []
  const heads = createHeads({
    read: () => Promise.resolve(headOf(number)),
    async prefetch(head) {
      prefetched.push(head.number)
      return {}
    },
    maxAgeMs: 600_000,
    now: () => nowMs,
  })
  onTestFinished(() => heads.stop())
  await heads.get()
  for (const [at, next] of [
    [30_000, 2n],
    [30_001, 3n],
  ] as const) {
    ;[nowMs, number] = [at, next]
    await heads.refresh()
  }
  await heads.get()
  number = 4n
  await heads.refresh()
  expect(prefetched).toEqual([1n, 2n, 3n, 4n])
})

it('heads.next waits while the node is down: a caller that has seen no fresh head is not woken by the old one', async () => {
  let [nowMs, isUp] = [0, true]
  const heads = start(
    () => (isUp ? Promise.resolve(headOf(1n)) : Promise.reject(new Error('down'))),
    () => nowMs,
  )
  await heads.get()
  isUp = false
  nowMs = 10_001
  expect(heads.findFresh()).toBeUndefined()
  let woken = false
  const waiting = heads.next(30, undefined).then(() => (woken = true))
  await Promise.resolve()
  await Promise.resolve()
  expect(woken).toBe(false)
  await waiting
})

describe('a node that lags behind another', () => {
  /** Creates heads whose node gives scripted answers. `answer` returns the head after each answer. */
  function startScript() {
    let [nowMs, answer] = [0, headOf(0n)]
    const heads = start(
      () => Promise.resolve(answer),
      () => nowMs,
    )
    return {
      heads,
      wait: (ms: number) => (nowMs += ms),
      async answer(head: Head) {
        answer = head
        return await heads.refresh()
      },
    }
  }

  it('a node that lags behind another is recognised by the parents of heads, where blocks come faster than polls', async () => {
    const { answer } = startScript()
    await answer(headOf(5n))
    await answer({ ...headOf(7n), parentHash: headOf(6n).hash })
    expect(await answer(headOf(6n))).toMatchObject(headOf(7n))
  })

  it.each([
    ['at a lower number', forkOf(6n)],
    ['at the same number', forkOf(7n)],
    ['at a number never seen', headOf(3n)],
  ])(
    'a node that lags behind another is not confused with a reorganisation: another block %s is the head at once',
    async (_, head) => {
      const { answer } = startScript()
      for (const number of [5n, 6n, 7n]) await answer(headOf(number))
      expect(await answer(head)).toEqual(head)
    },
  )

  it('a node that lags behind another is recognised by the blocks of the last reorganisation, not by those that it replaced', async () => {
    const { answer } = startScript()
    for (const number of [5n, 6n, 7n]) await answer(headOf(number))
    for (const head of [forkOf(6n), forkOf(7n), forkOf(8n)]) expect(await answer(head)).toEqual(head)
    expect(await answer(forkOf(7n))).toEqual(forkOf(8n))
    expect(await answer(headOf(7n))).toEqual(headOf(7n))
  })

  it('a node that lags behind another is recognised up to 255 blocks behind the head', async () => {
    const { answer } = startScript()
    for (let number = 1n; number <= 300n; number += 1n) await answer(headOf(number))
    expect(await answer(headOf(45n))).toEqual(headOf(300n))
    expect(await answer(headOf(44n))).toEqual(headOf(44n))
  })
})

describe('the age of a block', () => {
  /**
   * Creates heads on a chain that has a block in each second of the monotonic clock, with times in step with the chain.
   */
  async function startChain() {
    let nowMs = 0
    const newest = () => headOf(1_000_000n + BigInt(nowMs / 1000))
    const heads = createHeads({
      read: () => Promise.resolve(newest()),
      maxAgeMs: 10_000,
      maxBlockAgeMs: 300_000,
      now: () => nowMs,
    })
    onTestFinished(() => heads.stop())
    const wallAhead = (seconds: number) => (1_000_000 + seconds) * 1000 + nowMs
    return {
      heads,
      /** The age of the newest block by a wall clock that is ahead of the chain's time. */
      judge: (secondsAhead: number, block = newest()) => heads.judgeAge(block, wallAhead(secondsAhead)),
      newest,
      pass: (ms: number) => (nowMs += ms),
      async run(seconds: number) {
        for (let count = 0; count < seconds; count += 1) {
          nowMs += 1000
          await heads.refresh()
        }
      },
    }
  }

  it('a block is recent up to the maximum age by the wall clock, and old one second later', async () => {
    const { judge } = await startChain()
    expect([judge(300), judge(301)]).toEqual(['recent', 'old'])
    expect(judge(-86_400)).toBe('recent')
  })

  it('a wall clock that is ahead is suspect once blocks have come in step with the monotonic clock', async () => {
    const { judge, run } = await startChain()
    await run(10)
    expect(judge(400)).toBe('old')
    await run(50)
    expect([judge(0), judge(400)]).toEqual(['recent', 'clock-suspect'])
  })

  it('a chain that stands still is old after the maximum age by the monotonic clock, though it was in step', async () => {
    const { judge, run, newest, pass } = await startChain()
    await run(60)
    const last = newest()
    pass(300_000)
    expect(judge(400, last)).toBe('clock-suspect')
    pass(1000)
    expect(judge(400, last)).toBe('old')
  })
})

it('a head that was published before its data was read is replaced by the head of another node', async () => {
  const [wrong, right] = [{ ...headOf(2n), parentHash: headOf(1n).hash }, headOf(1n)]
  const unreadable: bigint[] = []
  const heads = createHeads({
    read: () => Promise.resolve(wrong),
    async onUnreadable({ number }) {
      unreadable.push(number)
      return right
    },
    maxAgeMs: 10_000,
    now: () => 0,
  })
  onTestFinished(() => heads.stop())
  expect(await heads.get()).toBe(wrong)
  expect(await Promise.all([heads.replace(wrong), heads.replace(wrong)])).toEqual([right, right])
  expect(heads.findFresh()).toBe(right)
  expect(unreadable).toEqual([2n])
})

it('the head of another node is returned, although the first node announces another head meanwhile', async () => {
  const [wrong, wrongAgain, right] = [forkOf(2n), forkOf(3n), headOf(2n)]
  let announced = wrong
  const heads = createHeads({
    read: () => Promise.resolve(announced),
    async onUnreadable() {
      announced = wrongAgain
      await heads.refresh()
      return right
    },
    maxAgeMs: 10_000,
    now: () => 0,
  })
  onTestFinished(() => heads.stop())
  expect(await heads.get()).toBe(wrong)
  expect(await heads.replace(wrong)).toBe(right)
})

it.each([
  ['of a reorganisation', forkOf(2n)],
  ['before it', headOf(1n)],
])(
  'a head that no node has is replaced by the block %s, although a read that began earlier returns it',
  async (_, next) => {
    const removed = { ...headOf(2n), parentHash: headOf(1n).hash }
    const answers: ((head: Head) => void)[] = []
    const read = () => new Promise<Head>((resolve) => answers.push(resolve))
    const heads = createHeads({ read, maxAgeMs: 10_000, now: () => 0 })
    onTestFinished(() => heads.stop())
    const got = heads.get()
    answers[0]?.(removed)
    expect(await got).toBe(removed)
    const polling = heads.refresh()
    const replacing = heads.replace(removed)
    await new Promise(setImmediate)
    answers[1]?.(removed)
    await polling
    await new Promise(setImmediate)
    for (const answer of answers) answer(next)
    expect(await replacing).toBe(next)
  },
)

function forkOf(number: bigint): Head {
  return headOf(number, 1)
}

import type { Limiter, Window } from '@agio/store'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually, redisRetries } from '../harness/timeLimits.ts'
import { createTestLog } from './createTestLog.ts'
import { listLimiters } from './listLimiters.ts'

const minute = { lengthMs: 60_000 }
const createSubject = () => `test:${crypto.randomUUID()}`

const log = createTestLog()
let errorsBefore = 0
// On a busy machine Redis may get no time to run. The limiter is right to count locally then, which other tests prove.
const retry = { count: redisRetries, condition: () => log.errors().length > errorsBefore }

describe.each(await listLimiters())('limits $name', { retry }, ({ create, state }) => {
  let limiter: Limiter
  beforeAll(async () => {
    limiter = await create(log)
  })
  beforeEach(async () => {
    await vi.waitUntil(() => limiter.state() === state, eventually)
    errorsBefore = log.errors().length
  })
  afterAll(() => limiter.close())

  /** Makes many requests, up to 300 concurrently, and counts the admitted ones. */
  async function admitMany(requests: number, subject: string, windows: readonly Window[], cost = 1): Promise<number> {
    let [requested, admitted] = [0, 0]
    async function keepAdmitting(): Promise<void> {
      while (requested < requests) {
        requested += 1
        const { isAdmitted } = await limiter.admit(
          subject,
          windows,
          windows.map(() => cost),
        )
        if (isAdmitted) admitted += 1
      }
    }
    await Promise.all(Array.from({ length: 300 }, keepAdmitting))
    return admitted
  }
  const usedOf = async (subject: string, windows: readonly Window[]) =>
    (
      await limiter.admit(
        subject,
        windows,
        windows.map(() => 1_000_000),
      )
    ).states.map(({ used }) => used)

  it('of thousands of concurrent requests exactly the limit is admitted', async () => {
    const subject = createSubject()
    const window = { name: 'rate', limit: 1234, ...minute }
    expect(await admitMany(3000, subject, [window])).toBe(1234)
    expect(await admitMany(100, subject, [window])).toBe(0)
    expect(limiter.state()).toBe(state)
  })

  it('the narrower of two windows limits a request, exactly', async () => {
    const subject = createSubject()
    const windows = [
      { name: 'rate', limit: 500, ...minute },
      { name: 'burst', limit: 70, ...minute },
    ]
    expect(await admitMany(1000, subject, windows)).toBe(70)
    expect(await admitMany(1000, subject, windows.slice(0, 1))).toBe(430)
  })

  it('a request that one window refuses consumes nothing of the other windows', async () => {
    const rate = { name: 'rate', limit: 5, ...minute }
    const burst = { name: 'burst', limit: 3, ...minute }
    for (const windows of [
      [rate, burst],
      [burst, rate],
    ]) {
      const subject = createSubject()
      expect(await admitMany(50, subject, windows)).toBe(3)
      expect(await usedOf(subject, [rate, burst])).toEqual([3, 3])
      expect(await admitMany(50, subject, [rate])).toBe(2)
      expect(await admitMany(50, subject, windows)).toBe(0)
      expect(await usedOf(subject, [rate, burst])).toEqual([5, 3])
    }
  })

  it('a full window does not start another window that has not begun', async () => {
    const subject = createSubject()
    const [rate, burst] = [
      { name: 'rate', limit: 1, ...minute },
      { name: 'burst', limit: 5, ...minute },
    ]
    await limiter.admit(subject, [rate])
    const { isAdmitted, states } = await limiter.admit(subject, [rate, burst])
    expect(isAdmitted).toBe(false)
    expect(states[1]).toEqual({ used: 0, endsInMs: 60_000 })
    expect(await admitMany(10, subject, [burst])).toBe(5)
  })

  it('a request of many calls is admitted as a whole or refused', async () => {
    const subject = createSubject()
    const windows = [{ name: 'rate', limit: 100, ...minute }]
    expect(await admitMany(100, subject, windows, 7)).toBe(14)
    expect(await usedOf(subject, windows)).toEqual([98])
    expect(await admitMany(5, subject, windows, 3)).toBe(0)
    expect(await admitMany(5, subject, windows, 2)).toBe(1)
    expect(await usedOf(subject, windows)).toEqual([100])
    expect(await admitMany(1, createSubject(), windows, 101)).toBe(0)
    expect(await admitMany(2, createSubject(), windows, 100)).toBe(1)
  })

  it('a request counts in each window by its cost there, exactly, and passes a full window in which it costs nothing', async () => {
    const subject = createSubject()
    const rate = { name: 'rate', limit: 300, ...minute }
    const nodes = { name: 'nodes', limit: 500, ...minute }
    // Requests that cost 7 and requests that cost nothing arrive together, with and without the window.
    const kinds = [
      { windows: [rate, nodes], costs: [1, 7] },
      { windows: [rate, nodes], costs: [1, 0] },
      { windows: [rate], costs: [1] },
    ]
    const admitEach = async (index: number) => {
      const { windows, costs } = kinds[index % 3] as (typeof kinds)[number]
      return (await limiter.admit(subject, windows, costs)).isAdmitted ? index % 3 : -1
    }
    const admitted = await Promise.all(Array.from({ length: 500 }, (_, index) => admitEach(index)))
    const count = (kind: number) => admitted.filter((each) => each === kind).length
    expect(count(0)).toBe(71)
    expect(count(0) + count(1) + count(2)).toBe(300)
    expect(await usedOf(subject, [rate, nodes])).toEqual([300, 497])
  })

  it('each subject of a limiter has its own windows', async () => {
    const windows = [{ name: 'rate', limit: 10, ...minute }]
    const [one, other] = [createSubject(), createSubject()]
    const both = [admitMany(500, one, windows), admitMany(500, other, windows)]
    expect(await Promise.all(both)).toEqual([10, 10])
  })

  it('every admission reports the use of each window, this request included, and when the window ends', async () => {
    const subject = createSubject()
    const windows = [
      { name: 'rate', limit: 3, lengthMs: 60_000 },
      { name: 'burst', limit: 9, lengthMs: 30_000 },
    ]
    const answers = []
    for (const cost of [1, 2, 1]) answers.push(await limiter.admit(subject, windows, [cost, cost]))
    const outcomes = answers.map(({ isAdmitted, states }) => [isAdmitted, ...states.map(({ used }) => used)])
    expect(outcomes).toEqual([
      [true, 1, 1],
      [true, 3, 3],
      [false, 3, 3],
    ])
    expect(answers[0]?.states.map(({ endsInMs }) => Math.round(endsInMs))).toEqual([60_000, 30_000])
    for (const { states } of answers) {
      for (const [index, { endsInMs }] of states.entries()) {
        expect(endsInMs).toBeGreaterThan(0)
        expect(Math.floor(endsInMs)).toBeLessThanOrEqual(windows[index]?.lengthMs ?? 0)
      }
    }
  })

  it('a window ends a fixed time after its first request, and the next one begins with the first request after that', async () => {
    const subject = createSubject()
    const windows = [{ name: 'burst', limit: 1000, lengthMs: 400 }]
    const admitOne = async () => {
      const requestedAtMs = performance.now()
      const { states } = await limiter.admit(subject, windows)
      const { used = 0, endsInMs = 0 } = states[0] ?? {}
      // The window ends between these two, by the clock of the counter.
      return { used, endsFromMs: requestedAtMs + endsInMs - 2, endsUntilMs: performance.now() + endsInMs + 2 }
    }
    const answers = [await admitOne()]
    while (answers.length === 1 || answers.at(-1)?.used !== 1) {
      await wait(20)
      answers.push(await admitOne())
    }
    const inWindow = answers.slice(0, -1)
    expect(inWindow.length).toBeGreaterThan(1)
    expect(inWindow.map(({ used }) => used)).toEqual(inWindow.map((_, index) => index + 1))
    const endedFromMs = Math.max(...inWindow.map(({ endsFromMs }) => endsFromMs))
    const endedUntilMs = Math.min(...inWindow.map(({ endsUntilMs }) => endsUntilMs))
    expect(endedFromMs).toBeLessThanOrEqual(endedUntilMs)
    // The next window begins with a request after that, and is as long.
    expect(answers.at(-1)?.endsUntilMs).toBeGreaterThanOrEqual(endedFromMs + 400)
  })

  it('a full window admits again once it has ended', async () => {
    // A window that ends before it is looked at proves nothing: on a busy machine a longer one is needed.
    for (let lengthMs = 400; ; lengthMs *= 2) {
      const subject = createSubject()
      const window = { name: 'burst', limit: 3, lengthMs }
      const isFull = () => limiter.getWindowState(subject, window).used >= window.limit
      expect(isFull()).toBe(false)
      const admitted = await admitMany(3, subject, [window])
      if (!isFull()) continue
      expect(admitted).toBe(3)
      await expect.poll(isFull).toBe(false)
      expect((await limiter.admit(subject, [window])).isAdmitted).toBe(true)
      return
    }
  })

  it('the earlier use of a window is read once, and counted once', async () => {
    const subject = createSubject()
    let reads = 0
    const readUsed = async () => {
      reads += 1
      await wait(20)
      return 40
    }
    const window = { name: 'quota', limit: 100, ...minute, readUsed }
    expect(await admitMany(300, subject, [{ name: 'rate', limit: 1000, ...minute }, window])).toBe(60)
    expect(await usedOf(subject, [window])).toEqual([100])
    expect(reads).toBe(1)
  })

  it('a window without earlier use starts at zero', async () => {
    const subject = createSubject()
    const window = { name: 'quota', limit: 10, ...minute, readUsed: () => wait(5, 0) }
    expect(await admitMany(100, subject, [window])).toBe(10)
    expect(await admitMany(100, subject, [window])).toBe(0)
  })

  it('a window that was full before its first request admits nothing', async () => {
    const window = { name: 'quota', limit: 10, ...minute, readUsed: async () => 12 }
    const subject = createSubject()
    expect(await admitMany(10, subject, [window])).toBe(0)
    expect(await usedOf(subject, [window])).toEqual([12])
  })

  it('a request fails if the earlier use cannot be read, and the next request reads it again', async () => {
    const subject = createSubject()
    let isReadable = false
    const readUsed = async () => {
      if (isReadable) return 4
      throw new Error('Cannot read')
    }
    const windows = [
      { name: 'rate', limit: 10, ...minute },
      { name: 'quota', limit: 10, ...minute, readUsed },
    ]
    const refused = await Promise.allSettled(Array.from({ length: 5 }, async () => limiter.admit(subject, windows)))
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['rejected']))
    isReadable = true
    expect(await admitMany(20, subject, windows)).toBe(6)
    expect(await usedOf(subject, windows)).toEqual([6, 10])
  })
})

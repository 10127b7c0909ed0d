import { setTimeout as wait } from 'node:timers/promises'
import { openLimiter, type Limiter, type Window } from '@agio/store'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findServices, redisUrl } from '../harness/findServices.ts'
import { eventually } from '../harness/timeLimits.ts'

const lengthMs = 600_000
const createSubject = () => `test:${crypto.randomUUID()}`
const log = { info: () => {}, error: () => {} }

const hasRedis = await findServices(['Redis'], 'limits on Redis')
// Redis may get no time to run on a busy machine. By default the limiter would count by itself then, which other tests prove.
const onRedis = { redisUrl, responseTimeoutMs: 60_000 }
const limiters = [
  { name: 'in memory', state: 'local', options: {} },
  ...(hasRedis ? [{ name: 'on Redis', state: 'shared', options: onRedis }] : []),
]

describe.each(limiters)('limits $name', ({ options, state }) => {
  let limiter: Limiter
  beforeAll(async () => {
    limiter = await openLimiter({ ...options, log })
    await vi.waitUntil(() => limiter.state() === state, eventually)
  })
  afterAll(() => limiter.close())

  /** Makes many requests, up to 300 concurrently, and counts the admitted ones. */
  async function admitMany(requests: number, subject: string, windows: readonly Window[]): Promise<number> {
    let [requested, admitted] = [0, 0]
    async function keepAdmitting(): Promise<void> {
      while (requested < requests) {
        requested += 1
        const { isAdmitted } = await limiter.admit(subject, windows)
        if (isAdmitted) admitted += 1
      }
    }
    await Promise.all(Array.from({ length: 300 }, keepAdmitting))
    return admitted
  }
  const usedOf = async (subject: string, windows: readonly Window[]) =>
    (await limiter.admit(subject, windows, 1_000_000)).states.map(({ used }) => used)

  it('of thousands of concurrent requests exactly the limit is admitted', async () => {
    const subject = createSubject()
    const window = { name: 'rate', limit: 1234, lengthMs }
    expect(await admitMany(3000, subject, [window])).toBe(1234)
    expect(await admitMany(100, subject, [window])).toBe(0)
    expect(limiter.state()).toBe(state)
  })

  it('every admission reports the use of each window, this request included, and when it ends: a fixed time after its first request', async () => {
    const subject = createSubject()
    const windows = [
      { name: 'rate', limit: 3, lengthMs },
      { name: 'burst', limit: 9, lengthMs: lengthMs / 2 },
    ]
    const admit = async (cost: number) => {
      const sentAtMs = performance.now()
      const { isAdmitted, states } = await limiter.admit(subject, windows, cost)
      // Each window ends between these two, by the clock of the counter.
      const ends = states.map(({ endsInMs }) => [sentAtMs + endsInMs - 2, performance.now() + endsInMs + 2] as const)
      return { outcome: [isAdmitted, ...states.map(({ used }) => used)], states, ends }
    }
    const answers = []
    for (const cost of [1, 2, 1]) {
      answers.push(await admit(cost))
      await wait(20)
    }
    expect(answers.map(({ outcome }) => outcome)).toEqual([
      [true, 1, 1],
      [true, 3, 3],
      [false, 3, 3],
    ])
    expect(answers[0]?.states.map(({ endsInMs }) => Math.round(endsInMs))).toEqual([lengthMs, lengthMs / 2])
    // A refusal states the end by the last admission, which may have taken long to arrive.
    for (const index of windows.keys()) {
      const ends = answers.slice(0, 2).flatMap((answer) => answer.ends[index] ?? [])
      const [from, until, laterFrom, laterUntil] = ends
      expect(laterFrom).toBeLessThanOrEqual(until ?? 0)
      expect(from).toBeLessThanOrEqual(laterUntil ?? 0)
    }
  })

  it('a full window admits again once it has ended', async () => {
    // A window that ends before it is looked at proves nothing: on a busy machine a longer one is needed.
    for (let shortMs = 400; ; shortMs *= 2) {
      const subject = createSubject()
      const window = { name: 'burst', limit: 3, lengthMs: shortMs }
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
    const window = { name: 'quota', limit: 100, lengthMs, readUsed }
    expect(await admitMany(300, subject, [{ name: 'rate', limit: 1000, lengthMs }, window])).toBe(60)
    expect(await usedOf(subject, [window])).toEqual([100])
    expect(reads).toBe(1)
  })

  it('a window without earlier use starts at zero', async () => {
    const subject = createSubject()
    const window = { name: 'quota', limit: 10, lengthMs, readUsed: () => wait(5, 0) }
    expect(await admitMany(100, subject, [window])).toBe(10)
    expect(await admitMany(100, subject, [window])).toBe(0)
  })

  it('a window that was full before its first request admits nothing', async () => {
    const window = { name: 'quota', limit: 10, lengthMs, readUsed: async () => 12 }
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
      { name: 'rate', limit: 10, lengthMs },
      { name: 'quota', limit: 10, lengthMs, readUsed },
    ]
    const refused = await Promise.allSettled(Array.from({ length: 5 }, async () => limiter.admit(subject, windows)))
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['rejected']))
    isReadable = true
    expect(await admitMany(20, subject, windows)).toBe(6)
    expect(await usedOf(subject, windows)).toEqual([6, 10])
  })
})
